package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.TopologySpreadConstraint;

/** What one test says of a spread constraint beyond its maxSkew, topologyKey and selector. */
@FunctionalInterface
public interface SpreadTrait {
    /** {@return the constraint with it} */
    TopologySpreadConstraint of(TopologySpreadConstraint constraint);
}
