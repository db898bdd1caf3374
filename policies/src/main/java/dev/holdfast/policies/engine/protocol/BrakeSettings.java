package dev.holdfast.policies.engine.protocol;

/**
 * When so much breaks at once that evictions stop.
 *
 * @param namespace the operator's own, on which somebody acknowledges that a breaker is open
 * @param labelPercent a label has left too many nodes when these are so many of a hundred that carried it
 * @param labelNodes and at least so many
 * @param volumePercent too many pods broke a rule when these are more than so many of a hundred that are bound
 * @param volumePods and at least so many
 */
public record BrakeSettings(String namespace, int labelPercent, int labelNodes, int volumePercent, int volumePods) {
    /** {@return 20 % of the nodes and 3; 5 % of the pods and 50} */
    public static BrakeSettings defaults(String namespace) {
        return new BrakeSettings(namespace, 20, 3, 5, 50);
    }
}
