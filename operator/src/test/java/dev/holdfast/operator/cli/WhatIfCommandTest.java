package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes of the sample in docs/samples, with its policy that enforces. */
class WhatIfCommandTest {
    private static final String SAMPLE = "-f ../docs/samples/shop.yaml --policy ../docs/samples/keep.yaml";

    private static final String FULL = """
        apiVersion: v1
        kind: Node
        metadata: {name: n1, uid: n1, labels: {kubernetes.io/hostname: n1}}
        status: {allocatable: {cpu: "1", memory: 1Gi, pods: "1"}, conditions: [{type: Ready, status: "True"}]}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: web-1, namespace: shop, uid: web-1}
        spec: {nodeName: n1, containers: [{name: web}]}
        status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: web-2, namespace: shop, uid: web-2}
        spec: {schedulerName: default-scheduler, containers: [{name: web}]}
        status: {phase: Pending}
        """;

    private static final String CORDONED = """
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: n2, uid: n2, labels: {kubernetes.io/hostname: n2}}
        spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
        status: {allocatable: {cpu: "1", memory: 1Gi, pods: "1"}, conditions: [{type: Ready, status: "True"}]}
        """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int whatIf(String arguments) {
        return CommandRun.printingTo(Path.of(""), out, err).execute(("what-if " + arguments).split(" "));
    }

    @Test
    void aReportNamesViolationsEvictionsAndHolds() {
        assertThat(whatIf(SAMPLE + " --label node/node-2 disk-")).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            1 violation would begin:
            AFTER   NAMESPACE   POD     NODE     RULE           BREACH
            0s      shop        web-2   node-2   NodeAffinity   node-2 does not match disk=ssd: it has no label disk

            5 pods would be evicted:
            AFTER   NAMESPACE   POD        FROM     TO       POLICY      RULE              OUTCOME   CAUSE
            5m0s    shop        db-1       node-2   node-1   shop/keep   PodAntiAffinity   Moved     Anyway
            5m0s    shop        api-2      node-4   node-3   shop/keep   PodAffinity       Moved     Anyway
            5m31s   shop        web-1      node-1   node-4   shop/keep   NodeAffinity      Moved     Anyway
            5m31s   shop        worker-1   node-1   node-4   shop/keep   TopologySpread    Moved     Anyway
            6m2s    shop        web-2      node-2   node-3   shop/keep   NodeAffinity      Moved     Change
            """);
        assertThat(err).hasToString("""
            holdfast: within 2h0m0s: 1 violation would begin, 0 end; 5 pods would be evicted, 4 of them without the change too; at the end 0 violations, 0 of them held, and 0 pods stuck
            """);
    }

    @Test
    void aPageShowsTheMapBeforeAndAfterAndWhatHappensToPods() {
        assertThat(whatIf(SAMPLE + " --label node/node-2 disk- -o html")).isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString())
                .startsWith("<!doctype html>")
                .contains(" --label node/node-2 disk- -o html</p>")
                .contains("node-2: 4 pods, 3 violated, 2 leave ")
                .contains("node-3: 5 pods, 2 new ")
                .contains("moved after 6m33s");
        assertThat(err.toString()).startsWith("holdfast: within 2h0m0s: 1 violation would begin");
    }

    @Test
    void aPolicyThatWouldStrandAWorkloadSaysSoBeforeItIsApplied() throws IOException {
        Path policy = folder.resolve("nvme.yaml");
        Files.writeString(policy, """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: nvme}
            spec:
              scheduling: InjectAlsoInAudit
              podSelector: {matchLabels: {app: web}}
              rules: [{name: nvme, nodeAffinity: {required: {nodeSelectorTerms: [
                {matchExpressions: [{key: disk, operator: In, values: [nvme]}]}]}}}]
            """);

        assertThat(whatIf("-f ../docs/samples/shop.yaml --apply " + policy + " --fail-on stuck"))
                .isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString()).contains("""
            1 workload would have pods without a node after a roll-out, because of injected rules:
            NAMESPACE   WORKLOAD         STRANDED      POLICIES    WHY
            shop        ReplicaSet/web   2 of 2 pods   shop/nvme   4 nodes: 4 against its rules
            """);
        assertThat(err.toString()).endsWith("stuck; a roll-out would strand pods of 1 workload\n");
    }

    /** Three nodes with one pod each, which are spread by node. */
    private String spreadByNode(String taintsPolicy) throws IOException {
        StringBuilder cluster = new StringBuilder("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n");
        for (int i = 1; i <= 3; i++) {
            cluster.append("""
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: n%1$s, labels: {kubernetes.io/hostname: n%1$s}}
                status: {allocatable: {pods: "10"}, conditions: [{type: Ready, status: "True"}]}
                """.formatted(i));
        }
        for (int i = 1; i <= 3; i++) {
            cluster.append("""
                ---
                apiVersion: v1
                kind: Pod
                metadata:
                  {name: web-%1$s, namespace: shop, labels: {app: web},
                   ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: web, controller: true}]}
                spec:
                  nodeName: n%1$s
                  containers: [{name: main}]
                  topologySpreadConstraints:
                  - maxSkew: 1
                    topologyKey: kubernetes.io/hostname
                    whenUnsatisfiable: DoNotSchedule
                    nodeTaintsPolicy: %2$s
                    labelSelector: {matchLabels: {app: web}}
                status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
                """.formatted(i, taintsPolicy));
        }
        return Files.writeString(folder.resolve("cluster.yaml"), cluster).toString();
    }

    @ParameterizedTest
    @CsvSource({"Honor, 0, '0 pods stuck'", "Ignore, 1, '1 pod stuck'"})
    void aCordonedNodeIsNoDomainOfASpreadThatHonorsTaints(String taintsPolicy, int exitCode, String end)
            throws IOException {
        assertThat(whatIf("-f " + spreadByNode(taintsPolicy) + " --drain n1 --fail-on stuck"))
                .isEqualTo(exitCode);

        assertThat(err.toString()).contains(end);
    }

    @Test
    void jsonHasTheSame() throws IOException {
        assertThat(whatIf(SAMPLE + " --label -l disk=ssd disk=hdd zone- -o json --until 30m"))
                .isEqualTo(ExitCode.FINDINGS);

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.path("kind").asText()).isEqualTo("WhatIfReport");
        assertThat(report.path("seconds").asInt()).isEqualTo(1800);
        assertThat(report.at("/begins/0/pod").asText()).isEqualTo("web-2");
    }

    @Test
    void aReportOnTheSameFileIsTheSameEachDay() {
        String arguments = "what-if " + SAMPLE + " --label node/node-2 disk- --until 4m -o json";
        StringWriter later = new StringWriter();

        CommandRun.printingTo(Path.of(""), out, err).at("2026-11-20T12:00:00Z").execute(arguments.split(" "));
        CommandRun.printingTo(Path.of(""), later, err)
                .at("2027-02-03T04:05:06Z")
                .execute(arguments.split(" "));

        assertThat(out.toString()).contains("\"held\"").isEqualTo(later.toString());
    }

    /** The file is of 08:00, and the clock of this test says 12:00. */
    @ParameterizedTest
    @CsvSource({"a window is open at the time of the file, 8, Moved", "a window is closed then, 12, WindowClosed"})
    void windowsAreThoseOfTheTimeOfTheFile(String name, String hour, String expected) throws IOException {
        Path windows = folder.resolve("windows.yaml");
        Files.writeString(windows, Files.readString(Path.of("../docs/samples/keep.yaml")) + """
              windows:
              - {name: daily, action: Allow, schedule: "0 HOUR * * *", durationSeconds: 3600}
            """.replace("HOUR", hour));

        whatIf("-f ../docs/samples/shop.yaml --policy " + windows + " --label node/node-2 disk- --until 2h");

        assertThat(out.toString()).as(name).contains(expected);
    }

    @Test
    void withoutPoliciesPodsAreHeldToTheirOwnRulesAndNothingIsEvicted() {
        assertThat(whatIf("-f ../docs/samples/shop.yaml --label node/node-2 disk-"))
                .isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString()).contains("1 violation would begin").doesNotContain("evicted");
    }

    @Test
    void aPolicyThatSelectsNothingIsAWarning() throws IOException {
        String elsewhere = applied(Files.readString(Path.of("../docs/samples/keep.yaml"))
                .replace("podSelector: {}", "podSelector: {matchLabels: {app: nothing}}"));

        assertThat(whatIf("-f ../docs/samples/shop.yaml --apply " + elsewhere + " --cordon node-1"))
                .isEqualTo(ExitCode.OK);

        assertThat(err.toString()).contains("holdfast: warning: policy shop/keep selects no pod at any time\n");
        whatIf("-f ../docs/samples/shop.yaml --apply " + elsewhere + " --cordon node-1 -o json");
        assertThat(out.toString()).contains("\"policy shop/keep selects no pod at any time\"");
    }

    static Stream<Arguments> managements() {
        return Stream.of(
                argumentSet("without the field, one after the other", "", "0s", "21s"),
                argumentSet("OrderedReady, one after the other", "podManagementPolicy: OrderedReady, ", "0s", "21s"),
                argumentSet("Parallel, all at once", "podManagementPolicy: Parallel, ", "0s", "0s"));
    }

    /** A pod is bound after 1 s, and Ready 20 s later. */
    @ParameterizedTest
    @MethodSource("managements")
    void aStatefulSetGrowsAsItsPodManagementPolicySays(String management, String first, String second)
            throws IOException {
        String cluster = applied("""
            {apiVersion: v1, kind: Namespace, metadata: {name: default}}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {pods: "9"}, conditions: [{type: Ready, status: "True"}]}
            ---
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db, uid: s}
            spec: {%sreplicas: 1}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: db-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: s,
              controller: true}]}
            spec: {nodeName: n1}
            status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
            """.formatted(management));

        whatIf("-f " + cluster + " --scale sts/db=3");

        assertThat(out).hasToString("""
            2 pods would be created by the change itself:
            AFTER   NAMESPACE   POD    NODE
            %-5s   default     db-1   n1
            %-5s   default     db-2   n1
            """.formatted(first, second));
    }

    static Stream<Arguments> findings() {
        return Stream.of(
                argumentSet("a violation begins", "--label node/node-2 disk-", "violated", ExitCode.FINDINGS),
                argumentSet("a pod is evicted", "--label node/node-2 disk-", "evicted", ExitCode.FINDINGS),
                argumentSet("nothing fails", "--label node/node-2 disk-", "never", ExitCode.OK),
                argumentSet(
                        "a pod finds no node",
                        "--drain node-3 --cordon node-4 --cordon node-2 --cordon node-1",
                        "stuck",
                        ExitCode.FINDINGS),
                argumentSet("nothing begins", "--cordon node-1", "any", ExitCode.OK));
    }

    static Stream<Arguments> modes() {
        String exception = "Enforce\n  exceptions: [{name: all, podSelector: {}, reason: test}]";
        return Stream.of(
                argumentSet("a violation whose forgiveness passes", "Enforce", "2h", 1, 1, 1, 1),
                argumentSet("a violation that is forgiven at the end", "Enforce", "1m", 1, 1, 0, 0),
                argumentSet("a violation that is audited", "Audit", "2h", 1, 0, 0, 0),
                argumentSet("a violation of an excepted pod", exception, "2h", 1, 0, 0, 0),
                argumentSet("an excepted pod within the forgiveness", exception, "1m", 1, 0, 0, 0),
                argumentSet("an operator that is switched off by the policy", "Disabled", "2h", 0, 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void theExitCodeFollowsTheMode(String mode, String until, int any, int enforced, int due, int evicted)
            throws IOException {
        Path policy = folder.resolve("policy.yaml");
        Files.writeString(
                policy,
                Files.readString(Path.of("../docs/samples/keep.yaml")).replace("mode: Enforce", "mode: " + mode));
        String change = "-f ../docs/samples/shop.yaml --policy " + policy + " --label node/node-2 disk- --until "
                + until + " --fail-on ";

        assertThat(Stream.of("any", "violated", "enforced", "due", "evicted", "never")
                        .map(failOn -> whatIf(change + failOn)))
                .containsExactly(any, any, enforced, due, evicted, 0);
        assertThat(err.toString()
                        .contains("warning: 1 violation that would begin left out of the exit code by --fail-on"
                                + " enforced: "
                                + (mode.equals("Audit") ? "1 audited\n" : "1 with an exception\n")))
                .isEqualTo(any > enforced);
    }

    @Test
    void withoutPoliciesNoViolationIsEnforced() {
        String change = "-f ../docs/samples/shop.yaml --label node/node-2 disk- --fail-on ";

        assertThat(Stream.of("any", "enforced", "due").map(failOn -> whatIf(change + failOn)))
                .containsExactly(ExitCode.FINDINGS, ExitCode.OK, ExitCode.OK);
        assertThat(err.toString()).contains("by --fail-on enforced: 1 without a policy\n");
    }

    @ParameterizedTest
    @MethodSource("findings")
    void theExitCodeFollowsTheThreshold(String change, String failOn, int code) {
        assertThat(whatIf(SAMPLE + " " + change + " --fail-on " + failOn)).isEqualTo(code);
    }

    @Test
    void aPolicyOfTheInputIsEnforced() throws IOException {
        Path audited = folder.resolve("audited.yaml");
        Files.writeString(
                audited,
                Files.readString(Path.of("../docs/samples/keep.yaml")).replace("mode: Enforce", "mode: Audit"));

        // The violations run already, and the evictions are what the change adds.
        assertThat(whatIf("-f ../docs/samples/shop.yaml -f " + audited + " --enforce shop/keep"))
                .isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString()).contains("would be evicted");
    }

    private String applied(String text) throws IOException {
        return Files.writeString(folder.resolve("applied.yaml"), text).toString();
    }

    @Test
    void aPolicyIsEnforcedAsItIsAfterTheAppliedEdit() throws IOException {
        String edit = applied(Files.readString(Path.of("../docs/samples/keep.yaml"))
                .replace("mode: Enforce", "mode: Audit")
                .replace("podSelector: {}", "podSelector: {matchLabels: {app: none}}"));

        assertThat(whatIf(SAMPLE + " --apply " + edit + " --enforce shop/keep")).isEqualTo(ExitCode.OK);

        assertThat(err.toString()).contains("; 0 pods would be evicted");
    }

    @Test
    void aBacklogThatIsNotThereCannotBeAcknowledged() {
        assertThat(whatIf(SAMPLE + " --enforce shop/keep --acknowledge shop/keep"))
                .isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err.toString())
                .contains("holdfast: policy shop/keep has no backlog to acknowledge, as no edit of it moves enough pods"
                        + " to begin one: leave the acknowledgement out\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anAppliedPauseHoldsEvictions() throws IOException {
        String pause = applied("""
            apiVersion: holdfast.dev/v1alpha1
            kind: EnforcementPause
            metadata: {name: freeze}
            spec: {reason: a release}
            """);

        assertThat(whatIf(SAMPLE + " --apply " + pause)).isEqualTo(ExitCode.OK);

        assertThat(err.toString()).contains("; 0 pods would be evicted");
        assertThat(out.toString()).contains("Paused");
    }

    @Test
    void anAppliedWorkloadThatTheInputLacksIsNotRolledOutAndSaidToBeSo() throws IOException {
        String workload = applied("""
            {apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: api}, spec: {replicas: 9}}
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: api}}
            """);

        whatIf(SAMPLE + " --apply " + workload);

        assertThat(err.toString())
                .contains(
                        "warning: Deployment shop/api applied, but its roll-out is not played, because the input has"
                                + " no object of its name, as JSON or YAML: give -f with deploy,rs,sts\n",
                        "warning: 1 object of kind ConfigMap has no effect\n");
    }

    @Test
    void appliedPodsMayNameTheClassesOfTheInput() throws IOException {
        Path classes = Files.writeString(folder.resolve("classes.yaml"), """
            {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1234}
            ---
            {apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: safe}, handler: safe,
             scheduling: {nodeSelector: {runtime: safe}}}
            """);
        String pod = applied("""
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: new}
            spec: {priorityClassName: high, runtimeClassName: safe, containers: [{name: main}]}
            """);

        whatIf(SAMPLE + " -f " + classes + " --apply " + pod);

        assertThat(err.toString()).doesNotContain("PriorityClass");
        assertThat(out.toString()).contains("runtime=safe");
        out.getBuffer().setLength(0);
        whatIf(SAMPLE + " --apply " + pod);
        assertThat(err.toString()).contains("PriorityClass high was not read");
        assertThat(out.toString()).doesNotContain("runtime=safe");
    }

    @Test
    void theSimulationGoesOnWhilePodsAreEvictedUnlessATimeIsGiven() throws IOException {
        String hourly = applied(Files.readString(Path.of("../docs/samples/keep.yaml"))
                .replace("podSelector: {}", "podSelector: {}\n  limits: {maxEvictionsPerHour: 1}"));

        whatIf("-f ../docs/samples/shop.yaml --apply " + hourly);
        whatIf("-f ../docs/samples/shop.yaml --until 1h --apply " + hourly);

        assertThat(err.toString().lines().map(line -> line.substring(0, line.indexOf(','))))
                .containsExactly(
                        "holdfast: within 5h0m0s: 6 violations would begin",
                        "holdfast: within 1h0m0s: 6 violations would begin");
    }

    @Test
    void theSimulationGoesOnWhenAWindowOpensLater() throws IOException {
        String nightly = applied(Files.readString(Path.of("../docs/samples/keep.yaml")) + """
              windows:
              - {name: night, action: Allow, schedule: "0 2 * * *", durationSeconds: 3600}
            """);

        whatIf("-f ../docs/samples/shop.yaml --apply " + nightly);

        assertThat(err.toString())
                .startsWith("holdfast: within 20h0m0s: 6 violations would begin, 0 end; 4 pods would be evicted");
    }

    @Test
    void oneLineSaysThatPodsOfAnotherSchedulerArePlacedAsByTheDefaultOne() throws IOException {
        String other = Files.readString(Path.of("../docs/samples/shop.yaml"))
                .replace("nodeName: node-3", "schedulerName: volcano\n    nodeName: node-3");
        Path file = Files.writeString(folder.resolve("other.yaml"), other);

        whatIf("-f " + file + " --cordon node-3");
        assertThat(err.toString()).doesNotContain("scheduler");

        whatIf("-f " + file + " --drain node-3");
        assertThat(err.toString())
                .contains("holdfast: warning: new pods are placed as by default-scheduler, and 3 pods with another"
                        + " scheduler would move, for example shop/api-1 of volcano\n");
    }

    static Stream<Arguments> undecided() {
        String off = " --label node/node-2 disk-";
        return Stream.of(
                argumentSet(
                        "there is no policy",
                        "-f ../docs/samples/shop.yaml" + off,
                        "there is no policy, so no pod is evicted: read plpol,cplpol too, or give --policy"),
                argumentSet(
                        "no policy enforces",
                        "-f ../docs/samples/shop.yaml --policy AUDIT" + off,
                        "no policy is in mode Enforce, so no pod is evicted: --enforce NAME shows all that would be"),
                argumentSet(
                        "the time that was asked for ends before a forgiveness",
                        SAMPLE + off + " --until 3m",
                        "the simulation ends at --until, and 7 violations are undecided then: leave --until out to"
                                + " go on"));
    }

    @ParameterizedTest
    @MethodSource("undecided")
    void oneLineSaysWhyViolationsAreLeft(String arguments, String expected) throws IOException {
        Path audit = folder.resolve("audit.yaml");
        Files.writeString(
                audit, Files.readString(Path.of("../docs/samples/keep.yaml")).replace("mode: Enforce", "mode: Audit"));

        whatIf(arguments.replace("AUDIT", audit.toString()));

        assertThat(err.toString()).contains("holdfast: warning: " + expected + "\n");
    }

    static Stream<Arguments> missing() {
        String controlled = """
            {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {conditions: [{type: Ready, status: "True"}]}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: db-0, namespace: shop, ownerReferences: [
              {apiVersion: apps/v1, kind: StatefulSet, name: db, uid: sts-db, controller: true}]}, spec: {nodeName: n1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop, ownerReferences: [
              {apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: rs-web, controller: true}]}, spec: {nodeName: n1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: web-2, namespace: shop, ownerReferences: [
              {apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: rs-web, controller: true}]}, spec: {nodeName: n1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: done, namespace: shop, ownerReferences: [
              {apiVersion: batch/v1, kind: Job, name: done, uid: job-done, controller: true}]}, spec: {nodeName: n1},
              status: {phase: Succeeded}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: agent, namespace: shop, ownerReferences: [
              {apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: ds-agent, controller: true}]}, spec: {nodeName: n1}}
            """;
        String budgets = """
            ---
            {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: all, namespace: shop}, spec: {}}
            ---
            {apiVersion: v1, kind: ResourceQuota, metadata: {name: all, namespace: shop}, spec: {hard: {pods: "9"}}}
            ---
            {apiVersion: v1, kind: LimitRange, metadata: {name: all, namespace: shop}, spec: {limits: []}}
            """;
        String controllers = """
            ---
            {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: shop, uid: sts-db}, spec: {replicas: 1}}
            ---
            {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, namespace: shop, uid: rs-web, ownerReferences: [
              {apiVersion: apps/v1, kind: Deployment, name: web, uid: web, controller: true}]}, spec: {replicas: 2}}
            """;
        String claims = """
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: lone, namespace: shop}, spec: {nodeName: n1, volumes: [
              {name: data, persistentVolumeClaim: {claimName: data}}]}}
            """;
        return Stream.of(
                argumentSet(
                        "budgets, quotas and controllers",
                        controlled,
                        "LimitRanges; PodDisruptionBudgets; ReplicaSets of 2 pods, for example of shop/web-1;"
                                + " ResourceQuotas; StatefulSets of 1 pod, for example of shop/db-0",
                        "limits,pdb,rs,quota,sts"),
                argumentSet(
                        "the Deployment of a ReplicaSet",
                        controlled + budgets + controllers,
                        "Deployments of 2 pods, for example of shop/web-1",
                        "deploy"),
                argumentSet(
                        "what belongs to the claims of a pod",
                        controlled + budgets + controllers.replace("Deployment", "Other") + claims,
                        "CSINodes; PersistentVolumeClaims; PersistentVolumes",
                        "csinodes,pvc,pv"));
    }

    /** Budgets and controllers are asked only about evictions: of the operator, or by a drain. */
    @ParameterizedTest
    @MethodSource("missing")
    void oneLineNamesTheKindsWithoutWhichAPlanIsAGuess(String objects, String missing, String arguments)
            throws IOException {
        String file = applied(objects);
        String warning = "holdfast: warning: the input lacks " + missing
                + ": this answer takes that as if there were none; add `" + arguments + "` to kubectl get\n";

        whatIf("-f " + file + " --cordon n1");
        assertThat(err.toString()).doesNotContain("warning");

        whatIf("-f " + file + " --drain n1");
        assertThat(err.toString()).containsOnlyOnce(warning);

        whatIf("-f " + file + " --cordon n1 --policy ../docs/samples/keep.yaml");
        assertThat(err.toString().split(Pattern.quote(warning), -1)).hasSize(3);

        whatIf("-f " + file + " --apply ../docs/samples/keep.yaml");
        assertThat(err.toString().split(Pattern.quote(warning), -1)).hasSize(4);
    }

    /** The pods have no controller. */
    @Test
    void aKindThatTheChangeBringsIsNotMissing() throws IOException {
        String pods = Files.writeString(folder.resolve("pods.yaml"), """
            {apiVersion: v1, kind: Node, metadata: {name: n1}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web}, spec: {nodeName: n1}}
            """).toString();
        String brought = applied("""
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {namespace: shop, name: web}
            spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
            ---
            {apiVersion: v1, kind: LimitRange, metadata: {name: all, namespace: shop}, spec: {limits: []}}
            """);

        whatIf("-f " + pods + " --drain n1 --apply " + brought);

        assertThat(err.toString())
                .contains("warning: the input lacks ResourceQuotas: this answer takes that as if there were none;"
                        + " add `quota` to kubectl get\n");
    }

    @Test
    void theSimulationOutlastsTheLongestForgiveness() throws IOException {
        String patient = applied(Files.readString(Path.of("../docs/samples/keep.yaml"))
                .replace("forgivenessSeconds: 300", "forgivenessSeconds: 36000"));

        whatIf("-f ../docs/samples/shop.yaml --apply " + patient);

        assertThat(err.toString()).startsWith("holdfast: within 11h10m0s: ").doesNotContain("; 0 pods would be");
    }

    /** As for check: the scheduler exempts no namespace. */
    @Test
    void withoutPoliciesNoNamespaceIsExempt() throws IOException {
        String pods = applied("""
            {apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: agent, namespace: kube-system}, spec: {nodeName: node-1}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: alone, namespace: shop}
            spec:
              nodeName: node-1
              affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
                {labelSelector: {}, namespaces: [kube-system], topologyKey: kubernetes.io/hostname}]}}
            """);

        whatIf("-f ../docs/samples/shop.yaml --apply " + pods);

        assertThat(out.toString()).contains("alone");
    }

    /** The scheduler does not know the rule of the policy, so that the new pod violates it again. */
    @Test
    void aViolationThatBeginsWithoutTheChangeTooIsNoEffectOfIt() throws IOException {
        Path policy = Files.writeString(folder.resolve("gold.yaml"), """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {name: gold, namespace: shop}
            spec:
              mode: Enforce
              podSelector: {matchLabels: {app: web}}
              podRuleSelection: None
              rules:
              - name: gold
                whenInfeasible: Evict
                nodeAffinity: {required: {nodeSelectorTerms: [
                  {matchExpressions: [{key: gold, operator: Exists}]}]}}
            """);

        whatIf("-f ../docs/samples/shop.yaml --policy " + policy + " --label node/node-4 other=label");

        assertThat(out.toString()).contains("web-1", "Futile").doesNotContain("would begin");
    }

    @Test
    void aRuleHasItsKindAsThePodsSpecAndThePolicyThatIsAddedDefineIt() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {name: zoned, namespace: shop}
            spec:
              mode: Enforce
              podSelector: {matchLabels: {app: web}}
              podRuleSelection: None
              rules:
              - name: zone-d
                nodeAffinity: {required: {nodeSelectorTerms: [
                  {matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [d]}]}]}}
            """);

        assertThat(whatIf(SAMPLE + " --label node/node-2 disk- --apply " + policy + " -o json"))
                .isEqualTo(ExitCode.FINDINGS);

        List<JsonNode> rules = new ObjectMapper().readTree(out.toString()).findValues("rule");
        assertThat(rules)
                .extracting(
                        rule -> rule.path("kind").asText(),
                        rule -> rule.path("name").asText())
                .contains(
                        tuple("NodeAffinity", "zone-d"),
                        tuple("NodeAffinity", "NodeAffinity"),
                        tuple("PodAntiAffinity", "PodAntiAffinity"),
                        tuple("TopologySpread", "TopologySpread"));
    }

    @Test
    void aNodeOfAFileIsAdded() throws IOException {
        Path node = folder.resolve("node.yaml");
        Files.writeString(node, """
            apiVersion: v1
            kind: Node
            metadata: {name: node-5, labels: {kubernetes.io/hostname: node-5, topology.kubernetes.io/zone: d, disk: ssd}}
            status:
              allocatable: {cpu: "4", memory: 8Gi, pods: "110"}
              conditions: [{type: Ready, status: "True"}]
            """);

        assertThat(whatIf(SAMPLE + " --add-node " + node + " -o json")).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).contains("node-5");
        assertThat(err.toString()).doesNotContain("is in the input already");
        assertThat(whatIf("-f ../docs/samples/shop.yaml -f " + node + " --add-node " + node))
                .isEqualTo(ExitCode.OK);
        assertThat(err.toString())
                .contains("warning: node node-5 is in the input already: --add-node applies its file\n");
    }

    /** Node n1 is full, so that pod web-2 waits. */
    static Stream<Arguments> writtenNodes() {
        return Stream.of(
                argumentSet(
                        "a new node without a status is Ready, has room and the label of its name",
                        "{name: n2}}",
                        "",
                        "n2",
                        false),
                argumentSet(
                        "a new node with a status is as it is written",
                        "{name: n2}, status: {conditions: [{type: Ready, status: 'False'}]}}",
                        "",
                        "",
                        false),
                argumentSet(
                        "a cordoned node that is written as schedulable takes pods",
                        "{name: n2}, spec: {unschedulable: false}}",
                        CORDONED,
                        "n2",
                        false),
                argumentSet("a cordoned node that is written without it stays so", "{name: n2}}", CORDONED, "", true));
    }

    @ParameterizedTest
    @MethodSource("writtenNodes")
    void aNodeThatAPersonWroteIsAsItsKubeletAndKubectlLeaveIt(String written, String known, String node, boolean idle)
            throws IOException {
        Path file = folder.resolve("node.yaml");
        Files.writeString(file, "{apiVersion: v1, kind: Node, metadata: " + written);
        Path input = folder.resolve("input.yaml");
        Files.writeString(input, FULL + known);

        whatIf("-f " + input + " --apply " + file + " -o json");

        JsonNode pending = new ObjectMapper().readTree(out.toString()).at("/pending/pods/0");
        assertThat(pending.path("node").asText()).as(out.toString()).isEqualTo(node);
        assertThat(err.toString().contains("has no effect")).isEqualTo(idle);
    }

    static Stream<Arguments> mistakes() {
        String label = "holdfast: --label takes node/NAME or -l SELECTOR, and then labels: node/n1 zone=b disk-";
        return Stream.of(
                argumentSet(
                        "no change",
                        SAMPLE,
                        ExitCode.USAGE,
                        "holdfast: give at least one change, for example --cordon NODE"),
                argumentSet("labels of no node", SAMPLE + " --label zone=b", ExitCode.USAGE, label),
                argumentSet("a node without labels", SAMPLE + " --label node/node-1", ExitCode.USAGE, label),
                argumentSet(
                        "a selector that says nothing",
                        SAMPLE + " --label -l a,,b disk-",
                        ExitCode.USAGE,
                        "holdfast: --label -l: "),
                argumentSet(
                        "a label that no object can have",
                        SAMPLE + " --label node/node-1 bad!key=x",
                        ExitCode.USAGE,
                        "holdfast: --label: no label can be bad!key=x"),
                argumentSet(
                        "one label twice",
                        SAMPLE + " --label node/node-1 disk=hdd disk-",
                        ExitCode.USAGE,
                        "holdfast: --label: disk is changed twice"),
                argumentSet(
                        "a time that is none",
                        SAMPLE + " --cordon node-1 --until soon",
                        ExitCode.USAGE,
                        "holdfast: --until must be a time of at most 168h, such as 90s, 15m or 2h, and is soon"),
                argumentSet(
                        "a kind that is not scaled",
                        SAMPLE + " --scale ds/web=3",
                        ExitCode.USAGE,
                        "holdfast: 'ds/web=3' scales nothing: write deploy/NAME=N, rs/NAME=N, sts/NAME=N or -l"
                                + " SELECTOR N"),
                argumentSet(
                        "a node that is not there",
                        SAMPLE + " --drain node-9",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: there is no node node-9\n"),
                argumentSet(
                        "a policy that is not there",
                        SAMPLE + " --enforce none",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: cannot enforce none: there is no such policy; there are: shop/keep\n"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneMessage(String arguments, int code, String message) {
        assertThat(whatIf(arguments)).isEqualTo(code);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).startsWith(message);
    }
}
