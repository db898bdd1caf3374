package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.check.Workload;
import dev.holdfast.operator.offline.explain.CountedDomains;
import dev.holdfast.operator.offline.explain.ExplainedRule;
import dev.holdfast.operator.offline.explain.PodExplanation;
import dev.holdfast.operator.offline.loss.WorkloadState;
import dev.holdfast.operator.offline.loss.WorstMoment;
import dev.holdfast.operator.offline.loss.ZonesReport;
import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.offline.report.ClusterMap.MapNode;
import dev.holdfast.operator.offline.report.ClusterMap.MapPod;
import dev.holdfast.operator.offline.report.ClusterMap.Presence;
import dev.holdfast.operator.offline.report.ClusterMap.Zone;
import dev.holdfast.operator.offline.report.ClusterReport.AffectedPod;
import dev.holdfast.operator.offline.report.ClusterReport.Cell;
import dev.holdfast.operator.offline.report.ClusterReport.Deadline;
import dev.holdfast.operator.offline.report.ClusterReport.Domain;
import dev.holdfast.operator.offline.report.ClusterReport.Explanation;
import dev.holdfast.operator.offline.report.ClusterReport.HoldCount;
import dev.holdfast.operator.offline.report.ClusterReport.NeverAllowing;
import dev.holdfast.operator.offline.report.ClusterReport.PolicyState;
import dev.holdfast.operator.offline.report.ClusterReport.Row;
import dev.holdfast.operator.offline.report.ClusterReport.Spread;
import dev.holdfast.operator.offline.report.ClusterReport.SpreadDomain;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.ClusterReport.Topology;
import dev.holdfast.operator.offline.report.TimeLine.Kind;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.TimeLine.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Reports of any size, written down without a cluster. Each pod of workload {@code w} violates the rule {@code r} on a
 * node of its own.
 *
 * @param nodes the number of nodes
 * @param affected the number of affected pods
 * @param listed how many of them are explained
 * @param name the name of each object, with its number behind it
 */
public record SyntheticReport(int nodes, int affected, int listed, String name) {
    private static final int PODS_OF_WORKLOAD = 4;

    /** {@return the report} */
    public ClusterReport report() {
        List<AffectedPod> pods = new ArrayList<>();
        List<CheckReport.Violation> violations = new ArrayList<>();
        List<Explanation> explanations = new ArrayList<>();
        for (int at = 0; at < affected; at++) {
            String pod = name + at;
            String node = name + at % Math.max(nodes, 1);
            RuleReference rule = new RuleReference("PodAntiAffinity", name, "0123456789abcdef");
            pods.add(new AffectedPod(name, pod, "u" + at, node, workload(at), State.VIOLATED));
            violations.add(new CheckReport.Violation(
                    name,
                    pod,
                    "u" + at,
                    node,
                    rule,
                    "Violated",
                    "it shares " + name,
                    name + " leaves",
                    false,
                    "Always",
                    "",
                    List.of(),
                    workload(at),
                    name,
                    "it shares " + name,
                    ViolationState.UNASKED,
                    new TreeMap<>()));
            if (at < listed) {
                explanations.add(explanation(at, rule));
            }
        }
        int workloads = (affected + PODS_OF_WORKLOAD - 1) / PODS_OF_WORKLOAD;
        return new ClusterReport(
                CheckReport.API_VERSION,
                ClusterReport.KIND,
                "Report " + name,
                name + ".yaml",
                new ClusterReport.Summary(
                        nodes * 30, nodes, nodes * 30, workloads, affected, affected, 0, 0, affected, affected, 0),
                List.of(
                        topology(name + "/zone", Math.min(nodes, 3), workloads),
                        topology(ClusterReport.BY_NODE, nodes, workloads)),
                List.of(),
                IntStream.range(0, affected).mapToObj(_ -> spread()).toList(),
                pods,
                explanations,
                violations,
                List.of(),
                some(at -> new CheckReport.PendingPod(
                        name,
                        name + at,
                        "w" + at,
                        "NoNode",
                        "2 nodes: 1 tainted " + name + at % 60 + ":NoSchedule; 1 too few cpu")),
                some(this::policy),
                some(at -> new NeverAllowing(
                        name, name + at, 3, "minAvailable is 3, and it selects 3 pods", "lower minAvailable")),
                some(this::failing),
                List.of(),
                some(at -> "rule " + name + at + " can do nothing here"));
    }

    /** {@return a tenth as many things as there are affected pods} */
    private <T> List<T> some(IntFunction<T> thing) {
        return IntStream.range(0, affected / 10).mapToObj(thing).toList();
    }

    private PolicyState policy(int at) {
        return new PolicyState(
                name + "/" + name + at,
                "Enforce",
                120,
                3,
                1,
                "5m to 1h",
                List.of(new HoldCount("DisruptionBudget", 1, "wait until all pods of the budget are Ready")),
                List.of(new Deadline(
                        name,
                        name + at,
                        name + at,
                        name,
                        "2026-11-20T12:00:00Z",
                        "Held",
                        "DisruptionBudgetNeverAllows")));
    }

    private ZonesReport.Workload failing(int at) {
        WorkloadState state = List.of(
                        WorkloadState.FINE, WorkloadState.DEGRADED, WorkloadState.BELOW_BUDGET, WorkloadState.GONE)
                .get(at % 4);
        return new ZonesReport.Workload(
                name,
                "StatefulSet",
                name + at,
                3,
                state,
                IntStream.range(0, 3)
                        .mapToObj(zone -> zone == 0
                                ? new ZonesReport.Failure(
                                        name + zone,
                                        state,
                                        1,
                                        "1 node: 1 tainted " + name,
                                        new WorstMoment(state, 1, 0, 7200, List.of()))
                                : new ZonesReport.Failure(
                                        name + zone,
                                        WorkloadState.FINE,
                                        3,
                                        "",
                                        new WorstMoment(WorkloadState.FINE, 3, 0, 0, List.of())))
                        .toList());
    }

    /** {@return the report with its map: the affected pods, and some fine ones on each node} */
    public Drawing drawing(int finePodsOnNode) {
        ClusterReport report = report();
        Map<String, List<MapPod>> pods = new HashMap<>();
        report.pods()
                .forEach(pod -> pods.computeIfAbsent(pod.node(), _ -> new ArrayList<>())
                        .add(new MapPod(pod.namespace(), pod.pod(), pod.uid(), pod.state())));
        SortedMap<Integer, List<MapNode>> zones = new TreeMap<>();
        for (int node = 0; node < nodes; node++) {
            List<MapPod> there = pods.computeIfAbsent(name + node, _ -> new ArrayList<>());
            for (int pod = 0; pod < finePodsOnNode; pod++) {
                there.add(new MapPod(name, name + "fine-" + pod, "f" + node + "-" + pod, State.FINE));
            }
            zones.computeIfAbsent(node % 3, _ -> new ArrayList<>()).add(new MapNode(name + node, "", there));
        }
        return new Drawing(
                report,
                new ClusterMap(zones.entrySet().stream()
                        .map(zone -> new Zone(name + zone.getKey(), zone.getValue()))
                        .toList()));
    }

    /** {@return a change in which the affected pods are held or move} */
    public ChangePicture picture(int finePodsOnNode) {
        ClusterMap map = drawing(finePodsOnNode).map();
        ClusterMap empty = new ClusterMap(List.of());
        return new ChangePicture(
                map.marking(empty, Presence.LEAVES),
                map.marking(empty, Presence.ARRIVES),
                new TimeLine(
                        IntStream.range(0, Math.min(affected, PlayedChange.MOST_LANES))
                                .mapToObj(pod -> new Lane(
                                        name,
                                        name + pod,
                                        "u" + pod,
                                        name + pod % Math.max(nodes, 1),
                                        List.of(
                                                moment(0, Kind.BEGINS, "rule " + name),
                                                moment(300, Kind.DUE, "rule " + name),
                                                moment(300 + pod, Kind.HELD, "NodeLimit: " + name),
                                                moment(900, Kind.EVICTED, "for rule " + name),
                                                moment(930, Kind.MOVED, "Moved: to " + name)),
                                        0,
                                        moment(930, Kind.MOVED, "Moved: to " + name)))
                                .toList(),
                        Math.max(0, affected - PlayedChange.MOST_LANES),
                        1_000));
    }

    private static Moment moment(long seconds, Kind kind, String text) {
        return new Moment(seconds, kind, text, kind);
    }

    /** {@return the report with its map, on which each node has two fine pods} */
    public Drawing drawing() {
        return drawing(2);
    }

    private Workload workload(int pod) {
        return new Workload(name, "Deployment", name + pod / PODS_OF_WORKLOAD);
    }

    private Explanation explanation(int pod, RuleReference rule) {
        return new Explanation(
                "u" + pod,
                List.of(new ExplainedRule(
                        rule,
                        "apart from " + name,
                        "Always",
                        true,
                        "",
                        List.of(name),
                        "Violated",
                        "it shares " + name,
                        name + " leaves",
                        "Absent",
                        new CountedDomains(
                                1, List.of(new CountedDomains.CountedDomain(name, name, true, 1, List.of(name)))))),
                new PodExplanation.Nodes(
                        new PodExplanation.Group("", nodes, List.of(name)),
                        List.of(new PodExplanation.Group("tainted " + name, 1, List.of(name))),
                        "",
                        List.of(),
                        false));
    }

    private Topology topology(String key, int count, int workloads) {
        List<Domain> domains = IntStream.range(0, count)
                .mapToObj(at -> new Domain(name + at, 1, at % 2))
                .toList();
        List<Row> rows = IntStream.range(0, workloads)
                .mapToObj(at -> new Row(workload(at * PODS_OF_WORKLOAD), cells(at, count)))
                .toList();
        return new Topology(key, domains, rows);
    }

    private List<Cell> cells(int workload, int domains) {
        SortedMap<Integer, List<String>> pods = new TreeMap<>();
        IntStream.range(workload * PODS_OF_WORKLOAD, Math.min((workload + 1) * PODS_OF_WORKLOAD, affected))
                .forEach(pod -> pods.computeIfAbsent(pod % domains, _ -> new ArrayList<>())
                        .add("u" + pod));
        return pods.entrySet().stream()
                .map(it -> new Cell(name + it.getKey(), 0, it.getValue().size(), 0, 2, it.getValue()))
                .toList();
    }

    private Spread spread() {
        return new Spread(
                name,
                new RuleReference("TopologySpread", name, "0123456789abcdef"),
                "spread " + name,
                name,
                1,
                1,
                3,
                2,
                0,
                2,
                2,
                List.of(new SpreadDomain(name, 2, true), new SpreadDomain(name + "2", 0, false)));
    }
}
