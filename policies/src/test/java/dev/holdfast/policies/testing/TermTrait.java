package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.PodAffinityTerm;

/** A trait of an affinity term in a test, in addition to its selector and topologyKey. */
@FunctionalInterface
public interface TermTrait {
    /** {@return a copy of the term with this trait} */
    PodAffinityTerm of(PodAffinityTerm term);
}
