package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.Workload;
import dev.holdfast.operator.offline.check.Workloads;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.explain.PodExplainer;
import dev.holdfast.operator.offline.report.ClusterReport.AffectedPod;
import dev.holdfast.operator.offline.report.ClusterReport.Explanation;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the report about a cluster. */
public final class ReportBuilder {
    private static final String HOSTNAME = "kubernetes.io/hostname";
    static final String ZONE = "topology.kubernetes.io/zone";

    /** The number of keys of violated rules that have a table, besides zones and nodes. */
    private static final int MOST_KEYS = 6;

    private final ReadCluster read;
    private final CheckedCluster cluster;
    private final Workloads workloads;
    private final List<Pod> listed;
    private final CheckReport found;
    private final Set<Finding> violated;
    private final Set<Finding> undetermined;
    private final Map<String, AffectedPod> affected = new LinkedHashMap<>();

    /** A rule of a pod. */
    private record Finding(String uid, String identity) {
        private static Set<Finding> of(Collection<? extends CheckReport.OfPod> entries) {
            return entries.stream()
                    .map(it -> new Finding(it.uid(), it.rule().identity()))
                    .collect(Collectors.toUnmodifiableSet());
        }

        private static Finding of(Pod pod, AppliedRule rule) {
            return new Finding(pod.uid(), rule.identity().hash());
        }
    }

    /**
     * @param read the cluster as it was read
     * @param cluster the same, indexed
     * @param found the violations in the cluster, and the pods without a node
     * @param listed which pods the report is about; their rules may depend on others
     */
    public ReportBuilder(ReadCluster read, CheckedCluster cluster, CheckReport found, Predicate<Pod> listed) {
        this.read = read;
        this.cluster = cluster;
        this.workloads = new Workloads(cluster.owners());
        this.listed = cluster.runningPods().stream().filter(listed).toList();
        this.found = found;
        this.violated = Finding.of(found.violations());
        this.undetermined = Finding.of(found.undetermined());
        findAffected();
    }

    private void findAffected() {
        Map<String, State> states = new HashMap<>();
        found.violations()
                .forEach(it -> states.merge(
                        it.uid(), it.killedByKubeletRestart() ? State.KILLED : State.VIOLATED, ReportBuilder::graver));
        found.undetermined().forEach(it -> states.merge(it.uid(), State.UNDETERMINED, ReportBuilder::graver));
        listed.stream()
                .filter(pod -> states.containsKey(pod.uid()))
                .sorted(Comparator.comparing(Pod::name).thenComparing(Pod::uid))
                .forEach(pod -> affected.put(
                        pod.uid(),
                        new AffectedPod(
                                pod.namespace(),
                                pod.name().name(),
                                pod.uid(),
                                pod.nodeName().orElse(""),
                                workloads.of(pod),
                                states.getOrDefault(pod.uid(), State.FINE))));
    }

    private static State graver(State one, State other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** {@return what was found, as by {@code holdfast check}} */
    public CheckReport found() {
        return found;
    }

    /**
     * {@return the report}
     *
     * @param title what the user calls it
     * @param source the file that was read, or empty
     * @param mostExplained how many affected pods are explained at most
     * @param strongest no policy acts in a stronger mode
     */
    public ClusterReport report(String title, String source, int mostExplained, Mode strongest) {
        ClusterView view = cluster.view();
        SortedMap<Workload, List<Pod>> rows = rows();
        List<String> ofRules = topologyKeys(view.nodes());
        Set<String> keys = new TreeSet<>(ofRules.subList(0, Math.min(MOST_KEYS, ofRules.size())));
        keys.add(ClusterReport.BY_NODE);
        if (view.nodes().stream().anyMatch(node -> node.labels().has(ZONE))) {
            keys.add(ZONE);
        }
        SpreadStrips strips = strips(view);
        return new ClusterReport(
                CheckReport.API_VERSION,
                ClusterReport.KIND,
                title,
                source,
                summary(rows.size(), strips),
                new TopologyTables(view.nodes(), affected, rows).of(keys),
                ofRules.stream().filter(key -> !keys.contains(key)).sorted().toList(),
                strips.shown(),
                List.copyOf(affected.values()),
                explanations(mostExplained),
                found.violations(),
                found.undetermined(),
                found.pending(),
                new PolicyStates(read, cluster, strongest).of(found.violations(), listed),
                NeverAllowingBudgets.of(read, cluster.runningPods(), listed),
                List.of(),
                found.unreadable(),
                found.warnings());
    }

    /** {@return the map with the pods that the report is about} */
    public ClusterMap map() {
        return new MapBuilder(cluster.view().nodes())
                .of(
                        listed,
                        pod -> Optional.ofNullable(affected.get(pod.uid()))
                                .map(AffectedPod::state)
                                .orElse(State.FINE));
    }

    private ClusterReport.Summary summary(int workloadCount, SpreadStrips strips) {
        return new ClusterReport.Summary(
                found.summary().pods(),
                found.summary().nodes(),
                listed.size(),
                workloadCount,
                found.violations().size(),
                (int) found.violations().stream()
                        .map(CheckReport.Violation::uid)
                        .distinct()
                        .count(),
                (int) affected.values().stream()
                        .filter(it -> it.state() == State.KILLED)
                        .count(),
                found.undetermined().size(),
                strips.count(),
                strips.violated(),
                found.summary().uncheckedPods());
    }

    /** {@return the listed pods of each affected workload} */
    private SortedMap<Workload, List<Pod>> rows() {
        SortedMap<Workload, List<Pod>> rows = new TreeMap<>();
        affected.values().forEach(it -> rows.put(it.workload(), new ArrayList<>()));
        for (Pod pod : listed) {
            Optional.ofNullable(rows.get(workloads.of(pod))).ifPresent(pods -> pods.add(pod));
        }
        rows.values().forEach(pods -> pods.sort(Comparator.comparing(Pod::name).thenComparing(Pod::uid)));
        return rows;
    }

    /** {@return the keys that rules with findings name, those with the most findings first} */
    private List<String> topologyKeys(Collection<Node> nodes) {
        Map<String, Integer> counts = new HashMap<>();
        for (Pod pod : listed) {
            if (affected.containsKey(pod.uid())) {
                cluster.rulesOf(pod).stream()
                        .filter(rule -> violated.contains(Finding.of(pod, rule))
                                || undetermined.contains(Finding.of(pod, rule)))
                        .flatMap(rule -> topologyKeys(rule.rule()))
                        .forEach(key -> counts.merge(key, 1, Integer::sum));
            }
        }
        if (nodes.stream()
                .allMatch(node -> node.labels()
                        .get(HOSTNAME)
                        .filter(name -> !name.equals(node.name()))
                        .isEmpty())) {
            // The table of the nodes shows the same.
            counts.remove(HOSTNAME);
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Stream<String> topologyKeys(Rule rule) {
        return switch (rule) {
            case Rule.NodeAffinity _ -> Stream.of();
            case Rule.PodAffinity affinity ->
                affinity.terms().stream().map(term -> term.topologyKey()).distinct();
            case Rule.PodAntiAffinity anti -> Stream.of(anti.term().topologyKey());
            case Rule.TopologySpread spread -> Stream.of(spread.constraint().topologyKey());
        };
    }

    private SpreadStrips strips(ClusterView view) {
        SpreadStrips strips = new SpreadStrips(view);
        for (Pod pod : listed) {
            for (AppliedRule applied : cluster.rulesOf(pod)) {
                Finding finding = Finding.of(pod, applied);
                if (applied.rule() instanceof Rule.TopologySpread spread && !undetermined.contains(finding)) {
                    strips.add(
                            pod,
                            applied,
                            spread,
                            violated.contains(finding) ? SpreadStrips.Verdict.VIOLATED : SpreadStrips.Verdict.HOLDS);
                }
            }
        }
        return strips;
    }

    /**
     * {@return explanations of the first affected pod of each workload, then of the second ones, until there are
     * enough}
     */
    private List<Explanation> explanations(int most) {
        Map<Workload, Integer> seen = new HashMap<>();
        Map<String, Integer> ranks = new HashMap<>();
        affected.values().forEach(it -> ranks.put(it.uid(), seen.merge(it.workload(), 1, Integer::sum)));
        Set<String> explained = new HashSet<>();
        affected.keySet().stream()
                .sorted(Comparator.comparingInt(uid -> ranks.getOrDefault(uid, 0)))
                .limit(most)
                .forEach(explained::add);
        return affected.keySet().stream()
                .filter(explained::contains)
                .map(uid -> cluster.view().pod(uid).orElseThrow())
                .map(new PodExplainer(cluster)::explain)
                .map(it -> new Explanation(it.uid(), it.rules(), it.nodes()))
                .toList();
    }
}
