package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The failure of each zone of the sample, and of small clusters. */
class ZonesCommandTest {
    private static final Path SAMPLE = Path.of("../docs/samples/zones.yaml");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String arguments) {
        return CommandRun.printingTo(Path.of(""), out, err).execute(arguments.split(" "));
    }

    /** {@return the states of a workload, in the order of the zones} */
    private Map<String, String> states(String arguments) throws IOException {
        run("zones " + arguments + " -o json");
        Map<String, String> states = new TreeMap<>();
        for (JsonNode workload : new ObjectMapper().readTree(out.toString()).path("workloads")) {
            List<String> cells = new ArrayList<>();
            workload.path("failures")
                    .forEach(it -> cells.add(it.path("zone").asText() + " "
                            + it.path("state").asText() + " "
                            + it.path("left").asText()));
            states.put(workload.path("name").asText(), String.join(", ", cells));
        }
        return states;
    }

    @Test
    void eachCellIsTheFailureOfTheZone() throws IOException {
        assertThat(states("-f " + SAMPLE))
                .isEqualTo(Map.of(
                        "api", "a BelowBudget 2, b BelowBudget 2, c BelowBudget 2",
                        "db", "a Degraded 2, b Fine 3, c Degraded 1",
                        "gpu", "a Fine 2, b Fine 2, c Gone 0",
                        "lonely", "a Fine 1, b Gone 0, c Fine 1",
                        "quorum", "a Degraded 2, b Degraded 2, c Degraded 2",
                        "web", "a Fine 3, b Fine 3, c Fine 3"));
    }

    /** {@return what becomes of a workload; the end of a simulation tells how long a lasting state lasts} */
    private static String fate(JsonNode loss) {
        JsonNode worst = loss.path("worstMoment");
        return Stream.of("state", "left", "why")
                .map(field -> loss.path(field).asText())
                .collect(Collectors.joining(" ", "", " " + worst.path("state") + worst.path("ready")));
    }

    @ParameterizedTest
    @CsvSource({"a", "b", "c"})
    void aCellIsWhatWhatIfSaysOfThisFailure(String zone) throws IOException {
        run("zones -f " + SAMPLE + " -o json");
        Map<String, String> cells = new TreeMap<>();
        for (JsonNode workload : new ObjectMapper().readTree(out.toString()).path("workloads")) {
            workload.path("failures").forEach(it -> {
                if (it.path("zone").asText().equals(zone)
                        && !it.path("worstMoment").path("state").asText().equals("Fine")) {
                    cells.put(workload.path("name").asText(), fate(it));
                }
            });
        }
        out.getBuffer().setLength(0);
        run("what-if -f " + SAMPLE + " --fail-zone " + zone + " -o json");
        Map<String, String> losses = new TreeMap<>();
        new ObjectMapper()
                .readTree(out.toString())
                .path("losses")
                .forEach(it -> losses.put(it.path("name").asText(), fate(it)));

        assertThat(losses).isNotEmpty().isEqualTo(cells);
    }

    @Test
    void theWorstComesFirstAndEachCellHasItsReason() {
        assertThat(run("zones -n shop -f " + SAMPLE)).isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString()).startsWith("""
            NAMESPACE   WORKLOAD            READY   WITHOUT a                WITHOUT b                WITHOUT c
            shop        Deployment/gpu      2       fine                     fine                     gone
            shop        Pod/lonely          1       fine                     gone                     fine
            shop        Deployment/api      3       below its budget (2)     below its budget (2)     below its budget (2)
            shop        Deployment/quorum   3       degraded (2)             degraded (2)             degraded (2)
            shop        Deployment/web      3       degraded (2) for 5m21s   degraded (2) for 5m21s   degraded (2) for 5m21s
            shop        StatefulSet/db      3       degraded (2)             fine                     degraded (1)

            """);
        assertThat(out.toString())
                .contains("budget api requires 3 Ready pods and has 2; api-2-new: no node takes it: ")
                .contains("a quorum of 3 needs 2; db-1: its StatefulSet creates no other pod until it is gone from the"
                        + " failed node, and then no node would take it: ")
                .contains("claim shop/data-db-1 is bound to volume pv-1, which can only be used on nodes with"
                        + " topology.kubernetes.io/zone In [c] (1 more stuck)\n");
        assertThat(err).hasToString("""
            holdfast: if one of 3 zones fails: 2 workloads would be gone, 1 below a disruption budget, 3 degraded, 0 fine
            """);
    }

    static Stream<Arguments> exitCodes() {
        return Stream.of(
                argumentSet("a workload below its budget", "", ExitCode.FINDINGS),
                argumentSet("a degraded workload", "--fail-on degraded", ExitCode.FINDINGS),
                argumentSet("a workload that is gone", "--fail-on gone", ExitCode.FINDINGS),
                argumentSet("no finding counts", "--fail-on never", ExitCode.OK),
                argumentSet("a namespace that is not there", "-n other --fail-on never", ExitCode.COULD_NOT_RUN));
    }

    @ParameterizedTest
    @MethodSource("exitCodes")
    void theExitCodeFollowsFromTheWorstState(String arguments, int code) {
        assertThat(run(("zones -f " + SAMPLE + " " + arguments).strip())).isEqualTo(code);
    }

    @Test
    void wideListsWorkloadsThatStayFine() throws IOException {
        Path cluster = Path.of(cluster("disk: ssd", "", ""));

        run("zones -f " + cluster);
        assertThat(out).hasToString("1 workload would keep all Ready pods, whichever zone fails; -o wide lists it\n");

        out.getBuffer().setLength(0);
        run("zones -o wide -f " + cluster);
        assertThat(out).hasToString("""
            NAMESPACE   WORKLOAD         READY   WITHOUT b
            shop        ReplicaSet/web   1       fine
            """);
    }

    /** {@return three nodes of zone a and others, and web pods on the first two, of which two must be Ready} */
    private String outage(int roomElsewhere, int inOtherZone) throws IOException {
        StringBuilder text = new StringBuilder();
        Stream.of("a1 a 10", "a2 a 10", "b1 b " + roomElsewhere).forEach(node -> {
            String[] parts = node.split(" ", -1);
            text.append("""
                apiVersion: v1
                kind: Node
                metadata: {name: %s, labels: {topology.kubernetes.io/zone: %s}}
                status: {allocatable: {cpu: "9", pods: "%s"}, conditions: [{type: Ready, status: "True"}]}
                ---
                """.formatted(parts[0], parts[1], parts[2]));
        });
        IntStream.range(0, 2 + inOtherZone)
                .mapToObj(i -> """
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      {name: web-%1$s, namespace: shop, labels: {app: web},
                       ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: web, controller: true}]}
                    spec: {nodeName: %2$s, containers: [{name: main}]}
                    status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
                    ---
                    """.formatted(i, i < 2 ? "a" + (i + 1) : "b1"))
                .forEach(text::append);
        text.append("""
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: web, namespace: shop, uid: budget}
            spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
            """);
        return Files.writeString(folder.resolve("outage.yaml"), text).toString();
    }

    static Stream<Arguments> outages() {
        return Stream.of(
                argumentSet(
                        "all pods are lost, and all come back",
                        10,
                        0,
                        "a Gone 0 0 321 Fine 2, b Fine 2 0 0 Fine 2",
                        "shop        ReplicaSet/web   2       gone for 5m21s   fine",
                        "a         shop        ReplicaSet/web   0 of 2   2 of 2   gone for 5m21s   0 of 2 Ready after"
                                + " 0s, 2 of 2 after 5m21s; budget web requires 2 Ready pods and has 0 meanwhile",
                        "1 workload would be gone, 0 below a disruption budget, 0 degraded, 0 fine"),
                argumentSet(
                        "too few are left, and all come back",
                        10,
                        1,
                        "a BelowBudget 1 0 321 Fine 3, b Degraded 2 0 321 Fine 3",
                        "shop        ReplicaSet/web   3       below its budget (1) for 5m21s   degraded (2) for 5m21s",
                        "a         shop        ReplicaSet/web   1 of 3   3 of 3   below its budget for 5m21s   1 of 3"
                                + " Ready after 0s, 3 of 3 after 5m21s; budget web requires 2 Ready pods and has 1"
                                + " meanwhile",
                        "0 workloads would be gone, 1 below a disruption budget, 0 degraded, 0 fine"),
                argumentSet(
                        "enough are left, and all come back",
                        10,
                        2,
                        "a Degraded 2 0 321 Fine 4, b Degraded 2 0 321 Fine 4",
                        "shop        ReplicaSet/web   4       degraded (2) for 5m21s   degraded (2) for 5m21s",
                        "a         shop        ReplicaSet/web   2 of 4   4 of 4   degraded for 5m21s   2 of 4 Ready"
                                + " after 0s, 4 of 4 after 5m21s",
                        "0 workloads would be gone, 0 below a disruption budget, 1 degraded, 0 fine"),
                argumentSet(
                        "all pods are lost, and only one comes back",
                        1,
                        0,
                        "a Gone 0 0 321 BelowBudget 1, b Fine 2 0 0 Fine 2",
                        "shop        ReplicaSet/web   2       gone for 5m21s, then below its budget (1)   fine",
                        "a         shop        ReplicaSet/web   0 of 2   1 of 2   gone for 5m21s, then below its budget"
                                + "   0 of 2 Ready after 0s, 1 of 2 after 5m21s; budget web requires 2 Ready pods and"
                                + " has 0 meanwhile; budget web requires 2 Ready pods and has 1; web-1-new: no node"
                                + " takes it: 3 nodes: 2 not Ready; 1 short of pods: the pod requests 1, at"
                                + " most 0 is free",
                        "1 workload would be gone, 0 below a disruption budget, 0 degraded, 0 fine"));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void anOutageThatEndsCountsAsLongAsItLasts(
            int room, int others, String moments, String row, String why, String summary) throws IOException {
        String cluster = outage(room, others);

        int code = run("zones -f " + cluster);
        assertThat(out.toString().lines()).contains(row, why);
        assertThat(err.toString()).endsWith("if one of 2 zones fails: " + summary + "\n");
        assertThat(code).isEqualTo(moments.contains("Gone") || moments.contains("Below") ? 1 : 0);

        out.getBuffer().setLength(0);
        run("zones -o json -f " + cluster);
        List<String> found = new ArrayList<>();
        new ObjectMapper().readTree(out.toString()).at("/workloads/0/failures").forEach(it -> {
            JsonNode worst = it.path("worstMoment");
            found.add(String.join(
                    " ",
                    it.path("zone").asText(),
                    worst.path("state").asText(),
                    worst.path("ready").asText(),
                    worst.path("fromSeconds").asText(),
                    worst.path("seconds").asText(),
                    it.path("state").asText(),
                    it.path("left").asText()));
        });
        assertThat(String.join(", ", found)).isEqualTo(moments);
    }

    /** {@return two nodes, and a pod on the first one} */
    private String cluster(String labels, String taints, String spec) throws IOException {
        return Files.writeString(folder.resolve("cluster.yaml"), """
            {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: n1, labels: {%1$s}}
            status: {allocatable: {cpu: "1", pods: "10"}, conditions: [{type: Ready, status: "True"}]}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: n2, labels: {topology.kubernetes.io/zone: b}}
            spec: {taints: [%2$s]}
            status: {allocatable: {cpu: "1", pods: "10"}, conditions: [{type: Ready, status: "True"}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              {name: web-1, namespace: shop, labels: {app: web},
               ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: web, controller: true}]}
            spec: {nodeName: n1, containers: [{name: main}] %3$s}
            status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
            """.formatted(labels, taints, spec))
                .toString();
    }

    static Stream<Arguments> clusters() {
        String inA = "topology.kubernetes.io/zone: a";
        return Stream.of(
                argumentSet("a pod that runs elsewhere", inA, "", "", "a Fine 1, b Fine 1"),
                argumentSet(
                        "a pod that the other zone's taint keeps off",
                        inA,
                        "{key: gpu, effect: NoSchedule}",
                        "",
                        "a Gone 0, b Fine 1"),
                argumentSet(
                        "a pod that needs more than there is",
                        inA,
                        "",
                        ", resources: {requests: {cpu: \"2\"}}",
                        "a Gone 0, b Fine 1"),
                argumentSet(
                        "a pod that stays on a failed node for ever",
                        inA,
                        "",
                        ", tolerations: [{operator: Exists}]",
                        "a Gone 0, b Fine 1"),
                argumentSet(
                        "a pod that stays for a day, and runs elsewhere then",
                        inA,
                        "",
                        ", tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute,"
                                + " tolerationSeconds: 86400}]",
                        "a Fine 1, b Fine 1"),
                argumentSet("a pod on a node without a zone", "disk: ssd", "", "", "b Fine 1"));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void onlyPodsThatAreStuckAtTheEndCount(String labels, String taints, String spec, String states)
            throws IOException {
        assertThat(states("-f " + cluster(labels, taints, spec))).isEqualTo(Map.of("web", states));
    }

    @Test
    void nodesWithoutAZoneAreAWarning() throws IOException {
        run("zones -f " + cluster("disk: ssd", "", ""));

        assertThat(err.toString())
                .contains("warning: 1 node has no label topology.kubernetes.io/zone, and no failure of a zone takes"
                        + " it\n");
    }

    /** There are 23 zones. Only zone z has a pod. */
    @Test
    void ofManyZonesOnlyThoseWithTheMostPodsFail() throws IOException {
        Path cluster = Path.of(cluster("topology.kubernetes.io/zone: z", "", ""));
        String others = IntStream.range(10, 31)
                .mapToObj(("---\n{apiVersion: v1, kind: Node, metadata: {name: r%1$d, labels:"
                        + " {topology.kubernetes.io/zone: r%1$d}}}\n")::formatted)
                .collect(Collectors.joining());
        Files.writeString(cluster, others, StandardOpenOption.APPEND);

        run("zones -o json -f " + cluster);

        assertThat(new ObjectMapper().readTree(out.toString()).path("zones").findValuesAsText("zone"))
                .containsExactlyElementsOf(Stream.concat(
                                Stream.of("b"),
                                Stream.concat(IntStream.range(10, 28).mapToObj(i -> "r" + i), Stream.of("z")))
                        .toList());
        assertThat(err.toString())
                .contains("warning: the failures of 3 zones are not played: only those of the 20 zones with the most"
                        + " pods are\n");
    }

    @Test
    void aNodeOfWhichOnlyTheZoneIsReadFailsWithItsZone() throws IOException {
        String taints = IntStream.range(0, 65)
                .mapToObj("{key: t%d, effect: PreferNoSchedule}"::formatted)
                .collect(Collectors.joining(", ", "spec: {taints: [", "]}\n"));
        Path cluster = Path.of(cluster("topology.kubernetes.io/zone: a", "", ""));
        String read = Files.readString(cluster);
        Files.writeString(cluster, read.replaceFirst("status:", taints + "status:"));

        assertThat(states("-f " + cluster)).isEqualTo(Map.of("web", "a Fine 1, b Fine 1"));
        assertThat(new ObjectMapper().readTree(out.toString()).path("zones").findValuesAsText("zone"))
                .containsExactly("a", "b");

        out.getBuffer().setLength(0);
        Files.writeString(
                cluster,
                read.replaceFirst("status:", taints + "status:")
                        .replace("spec: {taints: []}", "spec: {taints: [{key: gpu, effect: NoSchedule}]}"));
        assertThat(states("-f " + cluster)).isEqualTo(Map.of("web", "a Gone 0, b Fine 1"));
    }

    @ParameterizedTest
    @CsvSource({
        "a namespace with pods, shop, 0, ''",
        "a namespace without pods, idle, 0, 'holdfast: warning: the input has no pod in namespace idle\n'",
        "a namespace that is not there, shpo, 3, 'holdfast: the input has no object of namespace shpo: see -n, or list"
                + " them with kubectl get namespaces\n'"
    })
    void aNamespaceIsInTheInput(String name, String namespace, int exitCode, String message) throws IOException {
        Path idle = Files.writeString(
                folder.resolve("idle.yaml"), "{apiVersion: v1, kind: Namespace, metadata: {name: idle}}");

        assertThat(run("zones -n " + namespace + " --fail-on never -f " + SAMPLE + " -f " + idle))
                .as(name)
                .isEqualTo(exitCode);

        assertThat(err.toString()).as(name).contains(message);
    }

    @Test
    void aClusterWithoutZonesHasNoAnswer() throws IOException {
        Path cluster = Path.of(cluster("disk: ssd", "", ""));
        Files.writeString(cluster, Files.readString(cluster).replace("topology.kubernetes.io/zone", "rack"));

        assertThat(run("zones -f " + cluster)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .endsWith("holdfast: no node has the label topology.kubernetes.io/zone, so there is no zone that could"
                        + " fail\n");
    }
}
