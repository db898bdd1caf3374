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
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes of nodes by name, by selector and by zone, in a cluster of three zones. */
class WhatIfNodesTest {
    private static final String ZONES = "-f ../docs/samples/zones.yaml ";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int whatIf(String arguments) {
        return CommandRun.printingTo(Path.of(""), out, err).execute(("what-if " + arguments).split(" "));
    }

    private JsonNode report(String arguments) throws IOException {
        whatIf(ZONES + arguments + " -o json");
        return new ObjectMapper().readTree(out.toString());
    }

    private static List<String> displaced(JsonNode report) {
        return report.path("displaced").findValuesAsText("pod").stream()
                .sorted()
                .toList();
    }

    static Stream<Arguments> selections() {
        List<String> onBothOfC = List.of("api-2", "db-1", "db-2", "gpu-0", "gpu-1", "quorum-2", "web-2");
        List<String> onFirstOfC = List.of("api-2", "db-2", "web-2");
        return Stream.of(
                argumentSet("a name", "--remove-node c-1", onFirstOfC),
                argumentSet("a name with its kind", "--remove-node node/c-1", onFirstOfC),
                argumentSet("a selector", "--remove-node -l topology.kubernetes.io/zone=c", onBothOfC),
                argumentSet("a long selector", "--remove-node --selector topology.kubernetes.io/zone=c", onBothOfC),
                argumentSet("an attached selector", "--remove-node -l=topology.kubernetes.io/zone=c", onBothOfC),
                argumentSet(
                        "a long attached selector", "--remove-node --selector=kubernetes.io/hostname=c-1", onFirstOfC),
                argumentSet("a name after the equals sign", "--remove-node=c-1", onFirstOfC),
                argumentSet(
                        "a name and a selector of two changes",
                        "--cordon a-1 --remove-node -l kubernetes.io/hostname=c-1",
                        onFirstOfC),
                argumentSet(
                        "one change twice", "--remove-node c-1 --remove-node -l kubernetes.io/hostname=c-2", onBothOfC),
                argumentSet("a zone that fails", "--fail-zone c", onBothOfC),
                argumentSet("nodes that fail", "--fail-node c-2 --fail-node c-1", onBothOfC),
                argumentSet("a drain", "--drain -l kubernetes.io/hostname=b-1", List.of("web-1")),
                argumentSet("pods by their labels", "--delete -l app=gpu -n shop", List.of("gpu-0", "gpu-1")));
    }

    @ParameterizedTest
    @MethodSource("selections")
    void aChangeTakesNamesAndSelectors(String arguments, List<String> pods) throws IOException {
        assertThat(displaced(report(arguments))).isEqualTo(pods);
    }

    /** The volume of db-0 can only be used in zone a, which takes no pods. */
    @Test
    void aPodOfAParallelStatefulSetDoesNotWaitForAnotherOneThatNoNodeTakes() throws IOException {
        Path cluster = changedSample(
                "spec: {replicas: 3, serviceName: db,",
                "spec: {replicas: 3, podManagementPolicy: Parallel, serviceName: db,");

        whatIf("-f " + cluster + " -n shop --cordon -l topology.kubernetes.io/zone=a --delete -l app=db -o json");

        assertThat(new ObjectMapper().readTree(out.toString()).path("stuck").findValuesAsText("pod"))
                .containsExactly("db-0");
    }

    /** The claims of db-3 and db-4 do not exist before, and their StorageClass makes volumes in zone b only. */
    @ParameterizedTest
    @CsvSource({"WaitForFirstConsumer, b, Bound, b", "WaitForFirstConsumer, x, Unbound, ''", "Immediate, b, Bound, any"
    })
    void aStatefulSetThatIsScaledCreatesItsClaims(String mode, String allowed, String state, String zone)
            throws IOException {
        Path storageClass = Files.writeString(folder.resolve("class.yaml"), """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: disk}
            provisioner: disk.example.com
            volumeBindingMode: %s
            allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [%s]}]}]
            """.formatted(mode, allowed));
        JsonNode report = report("-f " + storageClass + " -n shop --scale sts/db=5");

        List<String> nodes = report.path("created").findValuesAsText("node");
        assertThat(nodes)
                .hasSize(state.equals("Bound") ? 2 : 1)
                .allMatch(node -> state.equals("Bound") ? !node.isEmpty() : node.isEmpty())
                .allMatch(node -> zone.equals("any") || zone.isEmpty() || node.startsWith(zone));
    }

    static Stream<Arguments> scales() {
        return Stream.of(
                argumentSet("a name", "--scale deploy/web=1", List.of("web-1", "web-2"), List.of()),
                argumentSet("labels of pods", "--scale -l app=web 1", List.of("web-1", "web-2"), List.of()),
                argumentSet("a kind and labels", "--scale sts -l app 2", List.of("db-2"), List.of()),
                argumentSet(
                        "labels of several workloads",
                        "--scale -l=app=web 2 --scale deploy --selector app=gpu 1",
                        List.of("gpu-1", "web-2"),
                        List.of()),
                argumentSet("more replicas", "--scale -l app=db 4", List.of(), List.of("db-3")));
    }

    @ParameterizedTest
    @MethodSource("scales")
    void workloadsAreScaledByNameOrByTheLabelsOfTheirPods(String arguments, List<String> ended, List<String> created)
            throws IOException {
        JsonNode report = report("-n shop " + arguments);

        assertThat(displaced(report)).isEqualTo(ended);
        assertThat(report.path("created").findValuesAsText("pod")).isEqualTo(created);
    }

    /** A custom resource owns the StatefulSet, and web-1 is of no workload. */
    @Test
    void aSelectorScalesTheWorkloadsThatCustomResourcesOwn() throws IOException {
        Path sample = changedSample(
                "kind: StatefulSet\nmetadata: {name: db, namespace: shop,",
                "kind: StatefulSet\nmetadata: {name: db, namespace: shop, ownerReferences: [{apiVersion:"
                        + " db.example.com/v1, kind: Database, name: db, uid: custom, controller: true}],");
        Files.writeString(sample, """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: bare, namespace: shop, labels: {app: db}}
            spec: {nodeName: a-1, containers: [{name: main}]}
            status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
            """, StandardOpenOption.APPEND);

        whatIf("-f " + sample + " -n shop --scale -l app=db 2 -o json");

        assertThat(displaced(new ObjectMapper().readTree(out.toString()))).containsExactly("db-2");
        assertThat(err.toString())
                .contains("warning: --scale -l app=db leaves 1 pod as it is, because no Deployment, ReplicaSet or"
                        + " StatefulSet has it: shop/bare\n");
    }

    /** The file that is applied gives the policy another label. */
    @Test
    void theLabelsOfPoliciesAreThoseOfTheirLastVersions() throws IOException {
        String keep = Files.readString(Path.of("../docs/samples/keep.yaml"));
        Path before = Files.writeString(
                folder.resolve("before.yaml"), keep.replace("  name: keep\n", "  name: keep\n  labels: {team: old}\n"));
        Path after = Files.writeString(
                folder.resolve("after.yaml"), keep.replace("  name: keep\n", "  name: keep\n  labels: {team: new}\n"));
        String arguments = "-f ../docs/samples/shop.yaml -f " + before + " --apply " + after + " --enforce -l team=";

        assertThat(whatIf(arguments + "old")).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(err.toString()).endsWith("holdfast: there is no policy with labels team=old\n");
        assertThat(whatIf(arguments + "new")).isEqualTo(ExitCode.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "--enforce shop/keep, shop/keep",
        "--enforce shop/keep --enforce other, 'other,shop/keep'",
        "--enforce -l team=shop, shop/keep",
        "--enforce --selector team, 'other,shop/keep'"
    })
    void policiesAreEnforcedByNameOrByTheirLabels(String change, String policies) throws IOException {
        String keep = Files.readString(Path.of("../docs/samples/keep.yaml")).replace("mode: Enforce", "mode: Audit");
        Path input = Files.writeString(
                folder.resolve("policies.yaml"),
                keep.replace("  name: keep\n", "  name: keep\n  labels: {team: shop}\n")
                        + "---\n"
                        + keep.replace("  name: keep\n  namespace: shop\n", "  name: other\n  labels: {team: it}\n")
                                .replace("PlacementPolicy", "ClusterPlacementPolicy")
                                .replace("podSelector: {}", "namespaceSelector: {}\n  podSelector: {}"));

        whatIf("-f ../docs/samples/shop.yaml -f " + input + " " + change + " -o json");

        assertThat(Set.copyOf(new ObjectMapper()
                        .readTree(out.toString())
                        .path("evictions")
                        .findValuesAsText("policy")))
                .as(err.toString())
                .isSubsetOf(policies.split(","))
                .isNotEmpty();
    }

    /** The drain of one node after the other would move pods of the first to the second. */
    @Test
    void aDrainCordonsAllNodesBeforeItEvicts() throws IOException {
        JsonNode report = report("--drain -l topology.kubernetes.io/zone=c --drain b-1");

        assertThat(report.path("displaced").findValuesAsText("toNode")).doesNotContain("b-1", "c-1", "c-2");
        assertThat(displaced(report)).containsOnlyOnce("web-1", "web-2");
    }

    private Path changedSample(String before, String after) throws IOException {
        String sample = Files.readString(Path.of("../docs/samples/zones.yaml"));
        assertThat(sample).contains(before);
        int at = sample.indexOf(before);
        return Files.writeString(
                folder.resolve("zones.yaml"), sample.substring(0, at) + after + sample.substring(at + before.length()));
    }

    /** The budget of api-2 refuses its eviction again and again. The kubelet of c-1 ends no pod. */
    @Test
    void theDrainOfAFailedNodeListsEachPodOnce() throws IOException {
        String name = "metadata: {name: c-1, labels: {kubernetes.io/hostname: c-1, topology.kubernetes.io/zone: c}}\n"
                + "status: {allocatable: {cpu: \"8\", memory: 16Gi, pods: \"30\"}, conditions: [{type: Ready, status: ";
        whatIf("-f " + changedSample(name + "\"True\"", name + "\"Unknown\"") + " --drain c-1 -o json");
        JsonNode report = new ObjectMapper().readTree(out.toString());

        assertThat(displaced(report)).containsExactly("db-2", "web-2");
        assertThat(report.path("stuck"))
                .as("api-2 and db-2 are lost without the drain too")
                .isEmpty();
    }

    @Test
    void aPodThatLeavesAFailedNodeLateIsCounted() throws IOException {
        String web = "  nodeName: a-1\n  containers: [{name: main, resources: {requests: {cpu: 100m}}}]\n";
        String tolerating = "  tolerations:\n  - {key: node.kubernetes.io/unreachable, operator: Exists, effect:"
                + " NoExecute, tolerationSeconds: 90000}\n";
        Path cluster = changedSample(web, web + tolerating);
        whatIf("-f " + cluster + " --fail-node a-1 -o json");
        JsonNode played = new ObjectMapper().readTree(out.toString());
        out.getBuffer().setLength(0);
        whatIf("-f " + cluster + " --fail-node a-1 --until 2h -o json");
        JsonNode ended = new ObjectMapper().readTree(out.toString());

        assertThat(displaced(played)).contains("web-0");
        assertThat(endOfWeb(played)).isEqualTo("Fine");
        assertThat(played.path("endedBy").asText()).isEqualTo("NothingMore");
        assertThat(displaced(ended)).doesNotContain("web-0");
        assertThat(endOfWeb(ended)).isEqualTo("Degraded");
    }

    private static String endOfWeb(JsonNode report) {
        List<String> states = new ArrayList<>();
        report.path("losses").forEach(it -> {
            if (it.path("name").asText().equals("web")) {
                states.add(it.path("state").asText());
            }
        });
        return String.join(", ", states);
    }

    /** {@return two nodes, and pods of some workloads on the first one, of which the other takes one} */
    private Path crowd(int workloads, int pods) throws IOException {
        String nodes = """
            {apiVersion: v1, kind: Node, metadata: {name: a, labels: {topology.kubernetes.io/zone: a}},
             status: {allocatable: {pods: "999"}, conditions: [{type: Ready, status: "True"}]}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: b, labels: {topology.kubernetes.io/zone: b}},
             status: {allocatable: {pods: "1"}, conditions: [{type: Ready, status: "True"}]}}
            ---
            """;
        String text = IntStream.range(0, workloads)
                .boxed()
                .flatMap(w -> IntStream.range(0, pods).mapToObj(i -> String.format(Locale.ROOT, """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: w%1$02d-%2$02d, namespace: shop, ownerReferences: [
                      {apiVersion: apps/v1, kind: ReplicaSet, name: w%1$02d, uid: w%1$02d, controller: true}]}
                    spec: {nodeName: a, containers: [{name: main}]}
                    status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
                    ---
                    """, w, i)))
                .collect(Collectors.joining());
        return Files.writeString(folder.resolve("crowd.yaml"), nodes + text);
    }

    @Test
    void manyAlikeRowsAreGroupedByWorkload() throws IOException {
        whatIf("-f " + crowd(2, 21) + " --fail-zone a");

        String why = "2 nodes: 1 not Ready; 1 short of pods: the pod requests 1, at most 0 is free";
        assertThat(out).hasToString("""
            2 workloads would have fewer Ready pods, for a time or at the end:
            NAMESPACE   WORKLOAD         LEAST     LEFT      STATE                           WHY
            shop        ReplicaSet/w01   0 of 21   0 of 21   gone                            w01-00-new: no node takes it: %1$s (20 more stuck)
            shop        ReplicaSet/w00   0 of 21   1 of 21   gone for 5m21s, then degraded   0 of 21 Ready after 0s, 1 of 21 after 5m21s; w00-01-new: no node takes it: %1$s (19 more stuck)

            41 pods would be stuck at the end, missing, pending or on a drained or failed node:
            PODS   FOR EXAMPLE   NAMESPACE   WORKLOAD         WHY
            21     w01-00-new    shop        ReplicaSet/w01   %1$s
            20     w00-01-new    shop        ReplicaSet/w00   %1$s
            all rows: -o wide

            42 pods would be removed by the change itself:
            PODS   FOR EXAMPLE   AFTER   NAMESPACE   WORKLOAD
            21     w00-00        5m0s    shop        ReplicaSet/w00
            21     w01-00        5m0s    shop        ReplicaSet/w01
            all rows: -o wide
            """.formatted(why));
    }

    @Test
    void wideListsAllRows() throws IOException {
        whatIf("-f " + crowd(2, 21) + " --fail-zone a -o wide");

        assertThat(out.toString())
                .hasLineCount(2 + 2 + 1 + 2 + 41 + 1 + 2 + 42)
                .contains("NAMESPACE   POD          NODE     WHY\n")
                .contains("\n5m0s    shop        w01-20   a      w01-20-new    <none>\n")
                .doesNotContain("-o wide");
    }

    @Test
    void ofManyGroupsTheLargestAreListed() throws IOException {
        whatIf("-f " + crowd(42, 1) + " --fail-zone a");

        assertThat(out.toString().lines())
                .hasSize(2 + 40 + 1 + 1 + 2 + 40 + 1 + 1 + 2 + 40 + 1)
                .contains(
                        "and 2 more workloads: -o wide",
                        "and 1 more group with 1 pod: -o wide",
                        "and 2 more groups with 2 pods: -o wide");
    }

    static Stream<Arguments> outages() {
        return Stream.of(
                argumentSet("a failure costs a workload its budget for a time", "--fail-zone a", 1),
                argumentSet("a failed node costs as much", "--fail-node a", 1),
                argumentSet("a workload that is below its budget is a finding", "--fail-zone a --fail-on budget", 1),
                argumentSet("no workload is gone", "--fail-zone a --fail-on gone", 0),
                argumentSet("no pod is stuck at the end", "--fail-zone a --fail-on stuck", 0),
                argumentSet("pods that a person deletes are no outage", "--delete pod/web-a -n shop", 0),
                argumentSet(
                        "pods that a person deletes, and budgets count",
                        "--delete pod/web-a -n shop --fail-on budget",
                        1));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void anOutageThatEndsIsAFinding(String change, int code) throws IOException {
        Path cluster = Files.writeString(
                folder.resolve("outage.yaml"),
                Stream.of("a", "b").map("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: %1$s, labels: {topology.kubernetes.io/zone: %1$s}}
                    status: {allocatable: {cpu: "9", pods: "9"}, conditions: [{type: Ready, status: "True"}]}
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      {name: web-%1$s, namespace: shop, labels: {app: web},
                       ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: web, controller: true}]}
                    spec: {nodeName: %1$s, containers: [{name: main}]}
                    status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
                    ---
                    """::formatted).collect(Collectors.joining("", "", """
                        apiVersion: policy/v1
                        kind: PodDisruptionBudget
                        metadata: {name: web, namespace: shop, uid: budget}
                        spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
                        """)));

        assertThat(whatIf("-f " + cluster + " " + change)).isEqualTo(code);
        assertThat(out.toString()).startsWith("1 workload would have fewer Ready pods, for a time or at the end:\n");
    }

    @ParameterizedTest
    @CsvSource({
        "--remove-node c-1, true",
        "--scale deploy/web=2 -n shop, true",
        "--delete pod/web-0 -n shop, true",
        "--apply POD, true",
        "--apply NODE, false",
        "--cordon c-1, false",
        "--label node/c-1 disk=ssd, false"
    })
    void kindsThatTheInputLacksAreAWarningIfPodsComeOrGo(String change, boolean warns) throws IOException {
        Path pod = Files.writeString(
                folder.resolve("pod.yaml"),
                "{apiVersion: v1, kind: Pod, metadata: {name: new, namespace: shop}, spec: {containers: [{name:"
                        + " main}]}}");
        Path node = Files.writeString(folder.resolve("node.yaml"), "{apiVersion: v1, kind: Node, metadata: {name: n}}");
        Path cluster = changedSample("kind: PodDisruptionBudget", "kind: Other");

        whatIf("-f " + cluster + " " + change.replace("POD", pod.toString()).replace("NODE", node.toString()));

        assertThat(err.toString().contains("warning: the input lacks ")).isEqualTo(warns);
    }

    static Stream<Arguments> idle() {
        return Stream.of(
                argumentSet(
                        "a cordon of a cordoned node",
                        "--cordon a-1 --cordon c-3",
                        "warning: node c-3 is cordoned already, so this change has no effect\n"),
                argumentSet(
                        "a drain of a cordoned node without pods",
                        "--drain -l kubernetes.io/hostname=c-3",
                        "warning: each node with labels kubernetes.io/hostname=c-3 is cordoned already and has no pod"
                                + " to evict, so this change has no effect\n"),
                argumentSet(
                        "a failure of a node that has failed",
                        "--fail-node b-3",
                        "warning: node b-3 is not Ready already, so this change has no effect\n"),
                argumentSet(
                        "a policy that enforces",
                        "--policy ../docs/samples/keep.yaml --enforce shop/keep",
                        "warning: policy shop/keep is as given already, so this change has no effect\n"),
                argumentSet(
                        "labels that are there",
                        "--label node/a-1 topology.kubernetes.io/zone=a",
                        "warning: node a-1 is labelled so already, so this change has no effect\n"),
                argumentSet(
                        "a label that is not there and is removed",
                        "--label -l topology.kubernetes.io/zone=a disk-",
                        "warning: each node with labels topology.kubernetes.io/zone=a is labelled so already, so this"
                                + " change has no effect\n"),
                argumentSet(
                        "as many replicas as all selected workloads have",
                        "--scale -l app=db 3 -n shop",
                        "warning: StatefulSet shop/db is scaled to 3 already, so this change has no effect\n"),
                argumentSet(
                        "as many replicas as there are",
                        "--scale sts/db=3 -n shop",
                        "warning: StatefulSet shop/db is scaled to 3 already, so this change has no effect\n"));
    }

    @ParameterizedTest
    @MethodSource("idle")
    void aChangeThatChangesNothingIsAWarning(String arguments, String warning) {
        whatIf(ZONES + arguments);

        assertThat(err.toString()).contains(warning);
    }

    @Test
    void objectsThatAreAppliedAsTheyAreAreAWarning() throws IOException {
        Path node = Files.writeString(folder.resolve("node.yaml"), """
            apiVersion: v1
            kind: Node
            metadata: {name: d-1, labels: {topology.kubernetes.io/zone: d}}
            status: {allocatable: {cpu: "8", pods: "30"}, conditions: [{type: Ready, status: "True"}]}
            """);

        whatIf(ZONES + "-f " + node + " --apply " + node);

        assertThat(err.toString())
                .contains("warning: the objects to apply are in the input as they are already, so this change has no"
                        + " effect\n");
    }

    @Test
    void aChangeOfSomeOfItsNodesIsNoWarning() {
        whatIf(ZONES + "--cordon -l topology.kubernetes.io/zone=c --fail-zone b");

        assertThat(err.toString()).doesNotContain("has no effect");
    }

    @Test
    void onlyWhatTheChangeCausesCanBeListed() {
        whatIf("-f ../docs/samples/shop.yaml --policy ../docs/samples/keep.yaml --label node/node-2 disk-"
                + " --only-change");

        assertThat(out).hasToString("""
            1 violation would begin:
            AFTER   NAMESPACE   POD     NODE     RULE           BREACH
            0s      shop        web-2   node-2   NodeAffinity   node-2 does not match disk=ssd: it has no label disk

            1 pod would be evicted:
            AFTER   NAMESPACE   POD     FROM     TO       POLICY      RULE           OUTCOME   CAUSE
            6m2s    shop        web-2   node-2   node-3   shop/keep   NodeAffinity   Moved     Change

            Without the change too: 4 evictions; see --only-change=false
            """);
    }

    @Test
    void theWorstComesFirst() {
        whatIf(ZONES + "--remove-node -l topology.kubernetes.io/zone=c");

        assertThat(out.toString())
                .startsWith("5 workloads would have fewer")
                .containsSubsequence(
                        "5 workloads would have fewer Ready pods, for a time or at the end:\n",
                        "shop        Deployment/gpu      0 of 2   0 of 2   gone               gpu-0-new: no node takes"
                                + " it: ",
                        "shop        Deployment/api      2 of 3   2 of 3   below its budget   budget api requires 3"
                                + " Ready pods and has 2; ",
                        "shop        StatefulSet/db      1 of 3   1 of 3   degraded           a quorum of 3 needs 2;"
                                + " db-1: no node takes it: ",
                        "shop        Deployment/quorum   2 of 3   2 of 3   degraded           quorum-2-new: no node"
                                + " takes it: ",
                        "shop        Deployment/web      2 of 3   3 of 3   degraded for 21s   2 of 3 Ready after 0s, 3"
                                + " of 3 after 21s\n",
                        "6 pods would be stuck at the end",
                        "7 pods would be removed by the change itself:\n")
                .doesNotContain("agent")
                .doesNotContain("static");
    }

    @Test
    void aWorkloadThatIsScaledDownLosesNothing() throws IOException {
        assertThat(report("--scale deploy/web=1 -n shop").path("losses")).isEmpty();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                argumentSet(
                        "a selector without a node",
                        "--remove-node -l zone=x",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no node with labels zone=x\n"),
                argumentSet(
                        "one of two selectors without a node",
                        "--drain a-1 --drain -l zone=x,!y",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no node with labels zone=x,!y\n"),
                argumentSet(
                        "a zone without a node",
                        "--fail-zone d",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no node in zone d: the nodes' label topology.kubernetes.io/zone is a or b"
                                + " or c\n"),
                argumentSet(
                        "a failure of no node",
                        "--fail-node d-1",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no node d-1\n"),
                argumentSet(
                        "a selector without a pod",
                        "--delete -l app=none",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no pod with labels app=none in namespace default: see -n\n"),
                argumentSet(
                        "no node",
                        "--cordon",
                        ExitCode.USAGE,
                        "holdfast: --cordon takes the name of a node, or -l SELECTOR: --cordon -l zone=c\n"),
                argumentSet(
                        "an option in the place of a node",
                        "--cordon --drain a-1",
                        ExitCode.USAGE,
                        "holdfast: --cordon takes the name of a node, or -l SELECTOR: --cordon -l zone=c\n"),
                argumentSet(
                        "no selector",
                        "--drain -l",
                        ExitCode.USAGE,
                        "holdfast: --drain takes the name of a node, or -l SELECTOR: --drain -l zone=c\n"),
                argumentSet(
                        "a selector that is none",
                        "--fail-node -l a,,b",
                        ExitCode.USAGE,
                        "holdfast: --fail-node -l: cannot read ',b'"),
                argumentSet(
                        "a selector without a workload",
                        "--scale -l app=none 3 -n shop",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no Deployment, ReplicaSet or StatefulSet with pods of labels app=none in"
                                + " namespace shop\n"),
                argumentSet(
                        "a kind and a selector without a workload",
                        "--scale sts -l app=web 3 -n shop",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no StatefulSet with pods of labels app=web in namespace shop\n"),
                argumentSet(
                        "a selector in another namespace",
                        "--scale -l app=web 3",
                        ExitCode.COULD_NOT_RUN,
                        "with pods of labels app=web in namespace default\n"),
                argumentSet(
                        "a selector without a number",
                        "--scale -l app=web --cordon a-1",
                        ExitCode.USAGE,
                        "holdfast: --scale -l app=web takes the number of replicas next, and not '--cordon': --scale -l"
                                + " app=web 3\n"),
                argumentSet(
                        "a kind without a name",
                        "--scale deploy",
                        ExitCode.USAGE,
                        "holdfast: 'deploy' scales nothing: write deploy/NAME=N, rs/NAME=N, sts/NAME=N or -l SELECTOR"
                                + " N\n"),
                argumentSet(
                        "a selector without a policy",
                        "--policy ../docs/samples/keep.yaml --enforce -l team=none",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no policy with labels team=none\n"),
                argumentSet(
                        "a selector without a policy to acknowledge",
                        "--policy ../docs/samples/keep.yaml --acknowledge -l team=none",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no policy with labels team=none\n"),
                argumentSet(
                        "no policy",
                        "--enforce --cordon a-1",
                        ExitCode.USAGE,
                        "holdfast: --enforce takes NAMESPACE/NAME of a PlacementPolicy, NAME of a"
                                + " ClusterPlacementPolicy, or -l SELECTOR\n"),
                argumentSet(
                        "no pod",
                        "--delete web-1",
                        ExitCode.USAGE,
                        "holdfast: 'web-1' is not a pod: write pod/NAME, or -l SELECTOR\n"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeNamesWhatIsNotThere(String arguments, int code, String message) {
        assertThat(whatIf(ZONES + arguments)).isEqualTo(code);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains(message);
    }
}
