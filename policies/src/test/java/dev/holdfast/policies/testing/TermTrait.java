package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.PodAffinityTerm;

/** What one test says of an affinity term beyond its selector and topologyKey. */
@FunctionalInterface
public interface TermTrait {
    /** {@return the term with it} */
    PodAffinityTerm of(PodAffinityTerm term);
}
