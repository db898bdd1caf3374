package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.check.Workload;
import dev.holdfast.operator.offline.report.ClusterReport.AffectedPod;
import dev.holdfast.operator.offline.report.ClusterReport.Cell;
import dev.holdfast.operator.offline.report.ClusterReport.Domain;
import dev.holdfast.operator.offline.report.ClusterReport.Row;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.ClusterReport.Topology;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts the pods of affected workloads in the domains of a topology key. */
final class TopologyTables {
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, AffectedPod> affected;
    private final SortedMap<Workload, List<Pod>> workloads;

    /**
     * @param affected the affected pods by UID
     * @param workloads the running pods of each affected workload
     */
    TopologyTables(
            Collection<Node> nodes, Map<String, AffectedPod> affected, SortedMap<Workload, List<Pod>> workloads) {
        nodes.forEach(node -> this.nodes.put(node.name(), node));
        this.affected = affected;
        this.workloads = workloads;
    }

    /** {@return the tables of some keys, fewest domains first} */
    List<Topology> of(Collection<String> topologyKeys) {
        return topologyKeys.stream()
                .map(this::of)
                .sorted(Comparator.comparingInt(
                                (Topology table) -> table.domains().size())
                        .thenComparing(Topology::topologyKey))
                .toList();
    }

    private Topology of(String topologyKey) {
        SortedMap<String, Integer> nodesOf = new TreeMap<>();
        nodes.values().forEach(node -> nodesOf.merge(domain(topologyKey, node), 1, Integer::sum));
        SortedMap<String, Integer> affectedIn = new TreeMap<>();
        List<Row> rows = new ArrayList<>();
        workloads.forEach((workload, pods) -> {
            SortedMap<String, Count> counts = new TreeMap<>();
            for (Pod pod : pods) {
                counts.computeIfAbsent(domain(topologyKey, pod), _ -> new Count())
                        .add(pod);
            }
            counts.forEach((domain, count) -> {
                nodesOf.putIfAbsent(domain, 0);
                affectedIn.merge(domain, count.uids.size(), Integer::sum);
            });
            rows.add(new Row(
                    workload,
                    counts.entrySet().stream()
                            .map(entry -> entry.getValue().cell(entry.getKey()))
                            .toList()));
        });
        List<Domain> domains = nodesOf.entrySet().stream()
                .map(entry -> new Domain(entry.getKey(), entry.getValue(), affectedIn.getOrDefault(entry.getKey(), 0)))
                .toList();
        return new Topology(topologyKey, domains, rows);
    }

    private String domain(String topologyKey, Pod pod) {
        return pod.nodeName()
                .flatMap(name -> Optional.ofNullable(nodes.get(name)))
                .map(node -> domain(topologyKey, node))
                .orElse("");
    }

    private static String domain(String topologyKey, Node node) {
        return topologyKey.equals(ClusterReport.BY_NODE)
                ? node.name()
                : node.labels().get(topologyKey).orElse("");
    }

    /** The pods of a workload in a domain. */
    private final class Count {
        private final Map<State, Integer> states = new EnumMap<>(State.class);
        private final List<String> uids = new ArrayList<>();

        private void add(Pod pod) {
            Optional<AffectedPod> finding = Optional.ofNullable(affected.get(pod.uid()));
            states.merge(finding.map(AffectedPod::state).orElse(State.FINE), 1, Integer::sum);
            finding.ifPresent(it -> uids.add(it.uid()));
        }

        private Cell cell(String domain) {
            return new Cell(
                    domain,
                    states.getOrDefault(State.KILLED, 0),
                    states.getOrDefault(State.VIOLATED, 0),
                    states.getOrDefault(State.UNDETERMINED, 0),
                    states.getOrDefault(State.FINE, 0),
                    uids);
        }
    }
}
