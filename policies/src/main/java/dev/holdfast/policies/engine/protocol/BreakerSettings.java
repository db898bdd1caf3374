package dev.holdfast.policies.engine.protocol;

import java.util.Optional;

/**
 * Thresholds of the breakers, which stop evictions when many rules break at once. The label breaker opens when a label
 * has left at least {@code labelPercent} of the nodes that had it, and at least {@code labelNodes} nodes. The volume
 * breaker opens when more than {@code volumePercent} of all bound pods broke a rule, and at least {@code volumePods}
 * pods. The breakers that stop the evictions of all tenants count tenants.
 *
 * @param namespace the operator's own namespace, whose annotation acknowledges open breakers
 * @param labelPercent a percentage of the nodes that had the label
 * @param labelNodes a number of nodes
 * @param volumePercent a percentage of all bound pods
 * @param volumePods a number of pods
 * @param teamLabel the key of the label of namespaces that names their tenant; absent if no label does
 */
public record BreakerSettings(
        String namespace,
        int labelPercent,
        int labelNodes,
        int volumePercent,
        int volumePods,
        Optional<String> teamLabel) {
    /** Creates settings without a label that names the tenant of a namespace. */
    public BreakerSettings(String namespace, int labelPercent, int labelNodes, int volumePercent, int volumePods) {
        this(namespace, labelPercent, labelNodes, volumePercent, volumePods, Optional.empty());
    }

    /** {@return the default thresholds: 20 % of the nodes and 3 nodes; 5 % of the pods and 50 pods} */
    public static BreakerSettings defaults(String namespace) {
        return new BreakerSettings(namespace, 20, 3, 5, 50);
    }
}
