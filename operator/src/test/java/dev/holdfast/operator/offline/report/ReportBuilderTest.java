package dev.holdfast.operator.offline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.check.Workload;
import dev.holdfast.operator.offline.report.ClusterReport.AffectedPod;
import dev.holdfast.operator.offline.report.ClusterReport.Cell;
import dev.holdfast.operator.offline.report.ClusterReport.Domain;
import dev.holdfast.operator.offline.report.ClusterReport.Explanation;
import dev.holdfast.operator.offline.report.ClusterReport.Row;
import dev.holdfast.operator.offline.report.ClusterReport.Spread;
import dev.holdfast.operator.offline.report.ClusterReport.SpreadDomain;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.ClusterReport.Topology;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a report says about a cluster. */
class ReportBuilderTest {
    /** Zone a has n1 and n2, zone b has n3; n1 alone has a slow disk. */
    private static final String NODES = """
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: hdd, topology.kubernetes.io/zone: a}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {disk: ssd, topology.kubernetes.io/zone: a}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n3, labels: {disk: ssd, topology.kubernetes.io/zone: b}}}
        ---
        """;

    private static final String SSD = "nodeSelector: {disk: ssd}";
    private static final String APART = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
            + "{labelSelector: {matchLabels: {app: web}}, topologyKey: disk}]}}";
    private static final String EVEN =
            "topologySpreadConstraints: [{labelSelector: {matchLabels: {app: web}}, maxSkew: 1,"
                    + " topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}]";

    private static String pod(String name, String node, String labels, String owner, String spec) {
        return """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: shop, uid: u-%s, labels: {%s}, ownerReferences: [%s]}
            spec: {nodeName: %s%s}
            ---
            """.formatted(name, name, labels, owner, node, spec.isEmpty() ? "" : ", " + spec);
    }

    private static String web(String name, String node, String spec) {
        return pod(name, node, "app: web", owner("StatefulSet", "web"), spec);
    }

    private static String owner(String kind, String name) {
        return "{apiVersion: apps/v1, kind: " + kind + ", name: " + name + ", uid: o-" + name + ", controller: true}";
    }

    private static Topology table(ClusterReport report, String topologyKey) {
        return report.topologies().stream()
                .filter(table -> table.topologyKey().equals(topologyKey))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theCellsOfAWorkloadCountItsPodsByStateInEachDomain() throws Exception {
        ClusterReport report = Reports.of(NODES
                + web("web-0", "n1", SSD)
                + web("web-1", "n1", "")
                + web("web-2", "n2", SSD)
                + web("web-3", "n3", SSD)
                + web("web-4", "gone", SSD));

        assertThat(report.pods())
                .extracting(AffectedPod::pod, AffectedPod::state)
                .containsExactly(tuple("web-0", State.KILLED), tuple("web-4", State.UNDETERMINED));
        Workload web = new Workload("shop", "StatefulSet", "web");
        assertThat(table(report, "topology.kubernetes.io/zone"))
                .isEqualTo(new Topology(
                        "topology.kubernetes.io/zone",
                        List.of(new Domain("", 0, 1), new Domain("a", 2, 1), new Domain("b", 1, 0)),
                        List.of(new Row(
                                web,
                                List.of(
                                        new Cell("", 0, 0, 1, 0, List.of("u-web-4")),
                                        new Cell("a", 1, 0, 0, 2, List.of("u-web-0")),
                                        new Cell("b", 0, 0, 0, 1, List.of()))))));
        assertThat(report.summary()).isEqualTo(new ClusterReport.Summary(5, 3, 5, 1, 1, 1, 1, 1, 0, 0, 0));
    }

    @Test
    void workloadsInWhichAllRulesHoldHaveNoRow() throws Exception {
        ClusterReport report = Reports.of(NODES + web("web-0", "n1", SSD) + pod("lone", "n2", "app: lone", "", SSD));

        assertThat(table(report, ClusterReport.BY_NODE).rows())
                .extracting(Row::workload)
                .containsExactly(new Workload("shop", "StatefulSet", "web"));
    }

    static Stream<Arguments> owners() {
        String replicaSet = """
            apiVersion: apps/v1
            kind: ReplicaSet
            metadata: {name: web-5d, namespace: shop, uid: o-web-5d, ownerReferences: [%s]}
            ---
            """.formatted(owner("Deployment", "front"));
        return Stream.of(
                argumentSet("no controller: the pod itself", "", "", "app: web", "Pod", "p"),
                argumentSet("a StatefulSet", "", owner("StatefulSet", "web"), "app: web", "StatefulSet", "web"),
                argumentSet(
                        "a ReplicaSet that is in the input: the Deployment above it",
                        replicaSet,
                        owner("ReplicaSet", "web-5d"),
                        "app: web",
                        "Deployment",
                        "front"),
                argumentSet(
                        "a ReplicaSet that is not in the input and is named after the hash of its pods: the Deployment",
                        "",
                        owner("ReplicaSet", "web-5d"),
                        "pod-template-hash: 5d",
                        "Deployment",
                        "web"),
                argumentSet(
                        "a ReplicaSet of another name: the ReplicaSet",
                        "",
                        owner("ReplicaSet", "web-5d"),
                        "pod-template-hash: 6f",
                        "ReplicaSet",
                        "web-5d"),
                argumentSet(
                        "a ReplicaSet that is named like the hash alone: the ReplicaSet",
                        "",
                        owner("ReplicaSet", "-5d"),
                        "pod-template-hash: 5d",
                        "ReplicaSet",
                        "-5d"));
    }

    @ParameterizedTest
    @MethodSource("owners")
    void theWorkloadOfAPodIs(String objects, String owner, String labels, String kind, String name) throws Exception {
        ClusterReport report = Reports.of(NODES + objects + pod("p", "n1", labels, owner, SSD));

        assertThat(report.pods()).extracting(AffectedPod::workload).containsExactly(new Workload("shop", kind, name));
    }

    @Test
    void eachKeyOfAViolatedRuleHasATableAndSoHaveZonesAndNodes() throws Exception {
        ClusterReport report = Reports.of(NODES + web("web-0", "n2", APART) + web("web-1", "n3", APART));

        // Two disks, two zones, three nodes: fewest domains first, then by name.
        assertThat(report.topologies())
                .extracting(Topology::topologyKey)
                .containsExactly("disk", "topology.kubernetes.io/zone", ClusterReport.BY_NODE);
    }

    @Test
    void ofManyKeysThoseWithTheMostFindingsHaveATable() throws Exception {
        String nodes = NODES.replace("disk: ssd", "disk: ssd, k1: x, k2: x, k3: x, k4: x, k5: x, k6: x, k7: x");
        String terms = IntStream.rangeClosed(1, 7)
                .mapToObj(key -> "{labelSelector: {matchLabels: {app: web}}, topologyKey: k" + key + "}")
                .collect(Collectors.joining(", "));
        String apart = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" + terms + "]}}";
        String more = APART.replace("topologyKey: disk", "topologyKey: k7");

        ClusterReport report = Reports.of(
                nodes + web("web-0", "n2", apart) + web("web-1", "n3", "") + pod("p", "n3", "app: p", "", more));

        assertThat(report.topologyKeysLeftOut()).containsExactly("k6");
        assertThat(report.topologies()).hasSize(8);
    }

    record Strip(int min, int max, int violating, List<SpreadDomain> domains) {}

    static Stream<Arguments> strips() {
        return Stream.of(
                argumentSet(
                        "[2,0], maxSkew 1: skew 2, so both pods of zone a violate it",
                        List.of("n1", "n2"),
                        EVEN,
                        new Strip(0, 2, 2, List.of(new SpreadDomain("a", 2, true), new SpreadDomain("b", 0, false)))),
                argumentSet(
                        "[2,1], maxSkew 1: skew 1, so it holds",
                        List.of("n1", "n2", "n3"),
                        EVEN,
                        new Strip(1, 2, 0, List.of(new SpreadDomain("a", 2, false), new SpreadDomain("b", 1, false)))),
                argumentSet(
                        "[2,1] with minDomains 3: the minimum counts as 0, so the skew of zone a is 2",
                        List.of("n1", "n2", "n3"),
                        EVEN.replace("maxSkew: 1", "maxSkew: 1, minDomains: 3"),
                        new Strip(0, 2, 2, List.of(new SpreadDomain("a", 2, true), new SpreadDomain("b", 1, false)))),
                argumentSet(
                        "[1,1]: with a node selector, n1 is not eligible, and its pod does not count",
                        List.of("n1", "n2", "n3"),
                        EVEN + ", " + SSD,
                        new Strip(1, 1, 0, List.of(new SpreadDomain("a", 1, false), new SpreadDomain("b", 1, false)))));
    }

    @ParameterizedTest
    @MethodSource("strips")
    void aStripCountsThePodsOfASpreadConstraint(List<String> placed, String spec, Strip expected) throws Exception {
        StringBuilder yaml = new StringBuilder(NODES);
        for (int at = 0; at < placed.size(); at++) {
            yaml.append(web("web-" + at, placed.get(at), spec));
        }

        List<Spread> spreads = Reports.of(yaml.toString()).spreads();

        assertThat(spreads)
                .extracting(it -> new Strip(it.min(), it.max(), it.violatingPods(), it.domains()))
                .containsExactly(expected);
    }

    @Test
    void aStripOfManyDomainsHasTheViolatedTheFullestAndTheEmptiestOnes() throws Exception {
        StringBuilder yaml = new StringBuilder("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n---\n");
        for (int node = 100; node < 200; node++) {
            yaml.append("{apiVersion: v1, kind: Node, metadata: {name: n" + node + ", labels: {rack: r" + node
                    + "}}}\n---\n");
            for (int pod = 0; pod < (node == 150 ? 3 : node % 2); pod++) {
                yaml.append(web(
                        "web-" + node + "-" + pod, "n" + node, EVEN.replace("topology.kubernetes.io/zone", "rack")));
            }
        }

        Spread strip = Reports.of(yaml.toString()).spreads().getFirst();

        assertThat(strip.domainCount()).isEqualTo(100);
        assertThat(strip.domains()).hasSizeLessThanOrEqualTo(SpreadStrips.MOST_DOMAINS);
        assertThat(strip.domains())
                .contains(
                        new SpreadDomain("r150", 3, true),
                        new SpreadDomain("r100", 0, false),
                        new SpreadDomain("r199", 1, false));
    }

    @Test
    void theFirstPodOfEachWorkloadIsExplainedBeforeTheSecondOnes() throws Exception {
        String yaml = NODES + web("web-0", "n1", SSD) + web("web-1", "n1", SSD) + pod("z", "n1", "app: z", "", SSD);

        assertThat(Reports.of("", yaml, 2).explanations())
                .extracting(Explanation::uid)
                .containsExactly("u-web-0", "u-z");
    }

    @Test
    void theOrderOfTheInputDoesNotMatter() throws Exception {
        List<String> pods = List.of(
                web("web-0", "n1", SSD), web("web-1", "n2", EVEN), web("web-2", "n2", EVEN), web("web-3", "n1", APART));

        ClusterReport report = Reports.of(NODES + String.join("", pods));

        assertThat(Reports.of(NODES + String.join("", pods.reversed()))).isEqualTo(report);
    }
}
