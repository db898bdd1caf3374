package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.TopologySpreadConstraint;

/** A trait of a spread constraint in a test, in addition to its maxSkew, topologyKey and selector. */
@FunctionalInterface
public interface SpreadTrait {
    /** {@return a copy of the constraint with this trait} */
    TopologySpreadConstraint of(TopologySpreadConstraint constraint);
}
