package dev.holdfast.policies.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The nodes on which a volume can be used, as the scheduler's plugins VolumeBinding and VolumeZone read it. A node must
 * satisfy both parts.
 *
 * @param nodes the node affinity of a PersistentVolume, or the {@code allowedTopologies} of a StorageClass; absent if
 *     it is the same for all nodes
 * @param zones the zone and region labels of a PersistentVolume, each with its values: a label {@code a__b} means the
 *     zones a and b. A node without any zone or region label satisfies them, too
 */
public record VolumeReach(Optional<NodeSelector> nodes, Map<String, Set<String>> zones) {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REGION = "topology.kubernetes.io/region";

    /** The label keys that {@code zones} may have, each with the key that replaced it. */
    private static final Map<String, String> KEYS = Map.of(
            ZONE,
            ZONE,
            REGION,
            REGION,
            "failure-domain.beta.kubernetes.io/zone",
            ZONE,
            "failure-domain.beta.kubernetes.io/region",
            REGION);

    /** The separator of the values in a zone or region label of a PersistentVolume. */
    private static final String SEPARATOR = "__";

    private static final VolumeReach EVERYWHERE = new VolumeReach(Optional.empty(), Map.of());

    public VolumeReach {
        zones = Map.copyOf(zones);
    }

    /** {@return the reach of a volume that every node can use} */
    public static VolumeReach everywhere() {
        return EVERYWHERE;
    }

    /** {@return the reach of a volume without zone and region labels} */
    public static VolumeReach of(NodeSelector nodes) {
        return new VolumeReach(Optional.of(nodes), Map.of());
    }

    /**
     * {@return the reach of a PersistentVolume}
     *
     * @param labels all labels of the PersistentVolume. A zone or region label with an empty value between its
     *     separators is ignored, as the scheduler does
     */
    public static VolumeReach of(Optional<NodeSelector> nodes, Labels labels) {
        Map<String, Set<String>> zones = new TreeMap<>();
        for (String key : KEYS.keySet()) {
            labels.get(key)
                    .map(value -> List.of(value.split(SEPARATOR, -1)).stream()
                            .map(String::strip)
                            .toList())
                    .filter(values -> values.stream().noneMatch(String::isEmpty))
                    .ifPresent(values -> zones.put(key, Set.copyOf(values)));
        }
        return new VolumeReach(nodes, zones);
    }

    /** {@return whether every node can use the volume} */
    public boolean isEverywhere() {
        return nodes.isEmpty() && zones.isEmpty();
    }

    /** {@return whether the zone and region labels of the volume suit a node with these labels} */
    public boolean hasZoneOf(Labels node) {
        boolean unzoned = KEYS.keySet().stream().allMatch(key -> node.get(key).isEmpty());
        return unzoned
                || zones.entrySet().stream()
                        .allMatch(zone -> node.get(zone.getKey())
                                .or(() -> node.get(KEYS.getOrDefault(zone.getKey(), zone.getKey())))
                                .filter(zone.getValue()::contains)
                                .isPresent());
    }

    /** {@return the conditions as text: {@code topology.kubernetes.io/zone In [a, b]}} */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        nodes.ifPresent(selector -> parts.add(selector.toString()));
        new TreeMap<>(zones).forEach((key, values) -> parts.add(key + " In " + new TreeSet<>(values)));
        return String.join(" and ", parts);
    }
}
