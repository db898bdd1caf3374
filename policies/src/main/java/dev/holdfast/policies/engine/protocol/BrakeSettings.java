package dev.holdfast.policies.engine.protocol;

/**
 * Thresholds of the breakers, which stop evictions when many rules break at once.
 *
 * @param namespace the operator's own namespace, whose annotation acknowledges open breakers
 * @param labelPercent the label breaker opens when at least this percentage of the nodes that had a label lost it
 * @param labelNodes and these are at least this many nodes
 * @param volumePercent the volume breaker opens when more than this percentage of all bound pods broke a rule
 * @param volumePods and these are at least this many pods
 */
public record BrakeSettings(String namespace, int labelPercent, int labelNodes, int volumePercent, int volumePods) {
    /** {@return the default thresholds: 20 % of the nodes and 3 nodes; 5 % of the pods and 50 pods} */
    public static BrakeSettings defaults(String namespace) {
        return new BrakeSettings(namespace, 20, 3, 5, 50);
    }
}
