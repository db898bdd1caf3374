package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.report.ClusterMap.MapNode;
import dev.holdfast.operator.offline.report.ClusterMap.MapPod;
import dev.holdfast.operator.offline.report.ClusterMap.Zone;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Puts running pods on a map of the nodes. */
final class MapBuilder {
    private final SortedMap<String, Node> nodes = new TreeMap<>();

    MapBuilder(Collection<Node> nodes) {
        nodes.forEach(node -> this.nodes.put(node.name(), node));
    }

    /** {@return the map with some running pods, also on nodes that were not read} */
    ClusterMap of(Collection<Pod> pods, Function<Pod, State> states) {
        SortedMap<String, List<MapPod>> on = new TreeMap<>();
        nodes.keySet().forEach(name -> on.put(name, new ArrayList<>()));
        for (Pod pod : pods) {
            on.computeIfAbsent(pod.nodeName().orElse(""), _ -> new ArrayList<>())
                    .add(new MapPod(pod.namespace(), pod.name().name(), pod.uid(), states.apply(pod)));
        }
        SortedMap<String, List<MapNode>> zones = new TreeMap<>();
        on.forEach((name, there) -> zones.computeIfAbsent(zone(name), _ -> new ArrayList<>())
                .add(new MapNode(
                        name, remark(name), there.stream().sorted(MapPod.ORDER).toList())));
        return new ClusterMap(zones.entrySet().stream()
                .map((Map.Entry<String, List<MapNode>> zone) -> new Zone(zone.getKey(), zone.getValue()))
                .toList());
    }

    private String zone(String name) {
        Node node = nodes.get(name);
        return node == null ? "" : node.labels().get(ReportBuilder.ZONE).orElse("");
    }

    private String remark(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            return "not read";
        }
        if (!node.ready()) {
            return "not Ready";
        }
        return node.unschedulable() ? "cordoned" : "";
    }
}
