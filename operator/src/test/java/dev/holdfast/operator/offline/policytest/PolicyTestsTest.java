package dev.holdfast.operator.offline.policytest;

import static dev.holdfast.operator.offline.policytest.TestFolder.NODES;
import static dev.holdfast.operator.offline.policytest.TestFolder.POLICY;
import static dev.holdfast.operator.offline.policytest.TestFolder.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.policytest.form.TestOutput;
import dev.holdfast.operator.offline.print.LineWidth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plays test folders. {@code web-1} runs on n1, because of two nodes with equally many pods the first one is taken. */
class PolicyTestsTest {
    private static final String MOVED =
            "{at: 11m, pod: shop/web-1, node: n1, to: n2, policy: shop/keep, outcome: Moved}";

    @TempDir
    private Path folder;

    private static String steps(String step, String expect) {
        return "steps:\n- " + step + "\nend: 30m\nexpect:\n" + expect;
    }

    private static String evictions(String step, String... expected) {
        return steps(step, "- evictions: [" + String.join(", ", expected) + "]\n");
    }

    static Stream<Arguments> steps() {
        String pending = "- violations: []\n  evictions: []\n";
        return Stream.of(
                argumentSet("a label changes", evictions("{at: 10m, label: {nodes: n1, set: {disk: hdd}}}", MOVED)),
                argumentSet("a label is removed", evictions("{at: 10m, label: {nodes: n1, remove: disk}}", MOVED)),
                argumentSet(
                        "labels of selected nodes change",
                        evictions("{at: 10m, label: {selector: kubernetes.io/hostname=n1, set: {disk: hdd}}}", MOVED)),
                argumentSet(
                        "two nodes change with a time between",
                        steps(
                                "{at: 5m, label: {nodes: [n2, n1], remove: disk, every: 5m}}",
                                "- at: 9m\n  violations: []\n- at: 10m\n  violations: [{pod: shop/web-1}]\n")),
                argumentSet("a node is cordoned", steps("{at: 10m, cordon: n1}", pending)),
                argumentSet("a node is drained", steps("{at: 10m, drain: n1}", pending)),
                argumentSet("a node is removed", steps("{at: 10m, removeNode: n1}", pending)),
                argumentSet("a pod is deleted", steps("{at: 10m, delete: shop/web-1}", pending)),
                argumentSet(
                        "a workload is scaled, and another pod has the same rule",
                        evictions(
                                "{at: 10m, scale: {kind: Deployment, namespace: shop, name: web, replicas: 2}}\n"
                                        + "- {at: 20m, label: {nodes: n2, remove: disk}}",
                                "{node: n2, to: n1}")),
                argumentSet(
                        "a file is applied, with a new workload and its pod",
                        evictions(
                                "{at: 10m, apply: other.yaml}\n- {at: 20m, label: {nodes: n2, remove: disk}}",
                                "{pod: shop/other-1, to: n1}")),
                argumentSet(
                        "steps are made in the order of time",
                        evictions(
                                "{at: 20m, label: {nodes: n2, remove: disk}}\n- {at: 10m, apply: other.yaml}",
                                "{pod: shop/other-1, to: n1}")),
                argumentSet(
                        "a policy is enforced that a step applies which is written later and made earlier",
                        evictions(
                                "{at: 10m, enforce: shop/late}\n- {at: 5m, apply: late.yaml}\n"
                                        + "- {at: 6m, label: {nodes: n1, remove: disk}}",
                                "{pod: shop/web-1, at: 11m, policy: shop/late}")),
                argumentSet(
                        "an auditing policy is enforced",
                        evictions(
                                "{at: 5m, label: {nodes: n1, remove: disk}}\n- {at: 10m, enforce: shop/keep}",
                                "{pod: shop/web-1, at: 11m}")));
    }

    @ParameterizedTest
    @MethodSource
    void steps(String test) throws DumpException {
        String policy = test.contains("enforce: ") ? POLICY.replace("Enforce", "Audit") : POLICY;
        assertThat(new TestFolder(folder)
                        .file("policies.yaml", policy)
                        .file("other.yaml", WEB.replace("web", "other"))
                        .file("late.yaml", POLICY.replace("keep", "late").replace("Enforce", "Audit"))
                        .test(test)
                        .deviations())
                .isEmpty();
    }

    @Test
    void aBacklogIsAcknowledged() throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("policies.yaml", POLICY.replace("Enforce", "Audit"))
                        .file("cluster.yaml", NODES + "---\n" + WEB.replace("replicas: 1", "replicas: 12"))
                        .test("""
                            steps:
                            - {at: 5m, label: {nodes: [n1, n2], remove: disk}}
                            - {at: 10m, enforce: shop/keep}
                            - {at: 20m, acknowledge: shop/keep}
                            expect:
                            - {at: 15m, holds: [{reason: PolicyBacklog, count: 12}]}
                            - {at: 30m, holds: [{reason: Infeasible, count: 12}]}
                            """)
                        .deviations())
                .isEmpty();
    }

    static Stream<Arguments> expectations() {
        String broken = "{at: 10m, label: {nodes: n1, set: {disk: hdd}}}";
        String found =
                "{at: 11m, pod: shop/web-1, node: n1, to: n2, policy: shop/keep, rule: NodeAffinity, outcome: Moved}";
        return Stream.of(
                argumentSet("what is expected happens", evictions(broken, MOVED), List.of()),
                argumentSet("fields that are left out are not compared", evictions(broken, "{}"), List.of()),
                argumentSet("a list that is left out is not compared", steps(broken, "- holds: []\n"), List.of()),
                argumentSet(
                        "something else is expected",
                        evictions(broken, "{pod: shop/web-2}"),
                        List.of("at 30m: missing eviction {pod: shop/web-2}", "at 30m: unexpected eviction " + found)),
                argumentSet("nothing is expected", evictions(broken), List.of("at 30m: unexpected eviction " + found)),
                argumentSet(
                        "more of the same are expected",
                        evictions(broken, "{outcome: Moved, count: 2}"),
                        List.of("at 30m: missing eviction {outcome: Moved}")),
                argumentSet(
                        "a violation at its time",
                        steps(
                                broken,
                                "- {at: 10m30s, violations: [{pod: shop/web-1, node: n1, rule: NodeAffinity}]}\n"),
                        List.of()),
                argumentSet(
                        "a violation after its time",
                        steps(broken, "- {at: 12m, violations: [{pod: shop/web-1}]}\n"),
                        List.of("at 12m: missing violation {pod: shop/web-1}")),
                argumentSet(
                        "a hold with its reason",
                        steps(
                                "{at: 10m, label: {selector: disk=ssd, remove: [disk]}}",
                                "- holds: [{pod: shop/web-1, policy: shop/keep, reason: Infeasible}]\n"),
                        List.of()),
                argumentSet(
                        "a single expectation without a list",
                        "steps: " + broken + "\nend: 30m\nexpect: {evictions: {to: n2}}\n",
                        List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void expectations(String test, List<String> deviations) throws DumpException {
        List<String> lines = new TestFolder(folder).test(test).deviations();

        assertThat(lines).filteredOn(line -> line.startsWith("at ")).isEqualTo(deviations);
    }

    @Test
    void evictionsThatNothingComparesAreWarnedOf() throws DumpException {
        assertThat(new TestFolder(folder)
                        .test(steps("{at: 10m, label: {nodes: n1, remove: disk}}", "- violations: []\n"))
                        .deviations())
                .singleElement()
                .asString()
                .endsWith(": 1 pod evicted, and no expectation lists `evictions`");
    }

    static Stream<Arguments> unreadable() {
        String expect = "expect: {evictions: []}\n";
        return Stream.of(
                argumentSet("an unknown field", "expects: []\n", "test.yaml: there is no field `expects`; there are: "),
                argumentSet(
                        "an unknown field of a step",
                        "steps: [{at: 1m, lable: {}}]\n" + expect,
                        "test.yaml: steps[0]: there is no field `lable`"),
                argumentSet("a step without a time", "steps: [{cordon: n1}]\n" + expect, "steps[0]: `at` is missing"),
                argumentSet(
                        "a time without a unit",
                        "steps: [{at: 10, cordon: n1}]\n" + expect,
                        "steps[0]: `at` must be a time after the beginning, such as 90s, 15m or 1h30m, and is 10"),
                argumentSet(
                        "a step that changes nothing",
                        "steps: [{at: 1m}]\n" + expect,
                        "steps[0]: the step changes nothing: give one of acknowledge, apply, cordon, crash, delete,"
                                + " drain"),
                argumentSet(
                        "a list without a value",
                        "expect: [{at: 1m, violations: , evictions: []}]\n",
                        "expect[0]: `violations` has no value: write [] for an empty list, or leave it out"),
                argumentSet(
                        "a claim that is applied later",
                        "steps: [{at: 1m, apply: claim.yaml}]\n" + expect,
                        "claim.yaml: claims, volumes and storage classes cannot be applied later"),
                argumentSet(
                        "a workload that is applied with fewer replicas than none",
                        "steps: [{at: 1m, apply: fewer.yaml}]\n" + expect,
                        "Deployment shop/web: `replicas` must be a number from 0 to 10000, and is -1"),
                argumentSet(
                        "labels that are a text",
                        "steps: [{at: 1m, apply: text.yaml}]\n" + expect,
                        "a field has a value of another type than in Kubernetes"),
                argumentSet("a time before all times", "start: -1000000000-01-01T00:00:00Z\n" + expect, ""),
                argumentSet(
                        "a label of named nodes and of selected ones",
                        "steps: [{at: 1m, label: {nodes: n1, selector: disk, remove: disk}}]\n" + expect,
                        "label[0]: give `nodes` or `selector`, not both"),
                argumentSet(
                        "an expectation with a misspelled list",
                        "expect: [{at: 1m, violatons: []}]\n",
                        "expect[0]: there is no field `violatons`; there are: at, evictions, holds,"
                                + " pending, rollOuts, violations"),
                argumentSet(
                        "a label of no node",
                        "steps: [{at: 1m, label: {remove: disk}}]\n" + expect,
                        "label[0]: names no node: give `nodes` or `selector`"),
                argumentSet(
                        "a label that no node can have",
                        "steps: [{at: 1m, label: {nodes: n1, set: {disk: a b}}}]\n" + expect,
                        "label[0]: no label can be disk=a b"),
                argumentSet(
                        "a node that is not there",
                        "steps: [{at: 1m, cordon: n9}]\n" + expect,
                        "steps[0]: there is no node n9"),
                argumentSet(
                        "a step after the last expectation that cannot be made",
                        "steps: [{at: 10m, cordon: n9}]\nexpect: {at: 1m, evictions: []}\n",
                        "steps[0]: there is no node n9"),
                argumentSet(
                        "a policy that is not there",
                        "steps: [{at: 1m, enforce: keep}]\n" + expect,
                        "cannot enforce keep: there is no such policy; there are: shop/keep"),
                argumentSet(
                        "an acknowledgement of a policy that is not there",
                        "steps: [{at: 1m, acknowledge: keep}]\n" + expect,
                        "steps[0]: there is no policy keep to acknowledge: name one as NAMESPACE/NAME, or as NAME if it"
                                + " is a ClusterPlacementPolicy"),
                argumentSet(
                        "a backlog that is not there",
                        "steps: [{at: 1m, acknowledge: shop/keep}]\n" + expect,
                        "steps[0]: policy shop/keep has no backlog to acknowledge, as no edit of it moves enough pods"
                                + " to begin one: leave the acknowledgement out"),
                argumentSet(
                        "a pod without a namespace",
                        "steps: [{at: 1m, delete: web-1}]\n" + expect,
                        "steps[0]: `delete` must be NAMESPACE/POD, and is web-1"),
                argumentSet(
                        "an unknown fate of new pods",
                        "steps: [{at: 1m, newPods: refused}]\n" + expect,
                        "steps[0]: `newPods` must be Start, NotReady or Refused, and is refused"),
                argumentSet(
                        "a pod to crash that is not there",
                        "steps: [{at: 1m, crash: shop/web-9}]\n" + expect,
                        "steps[0]: there is no pod shop/web-9"),
                argumentSet(
                        "a pod to finish that starts again when it ends",
                        "steps: [{at: 1m, finish: shop/web-1}]\n" + expect,
                        "steps[0]: pod shop/web-1 cannot finish: its restartPolicy is Always, so its containers start"),
                argumentSet(
                        "a node to recover that has not failed",
                        "steps: [{at: 1m, recover: n1}]\n" + expect,
                        "steps[0]: node n1 is Ready already"),
                argumentSet(
                        "a node that fails twice",
                        "steps: [{at: 1m, fail: [n1, n1]}]\n" + expect,
                        "steps[0]: node n1 is not Ready already"),
                argumentSet(
                        "a share of pods that is no number",
                        "steps: [{at: 1m, apply: surge.yaml}]\n" + expect,
                        "Deployment shop/web is invalid: spec.strategy.rollingUpdate.maxSurge: Invalid value: some:"
                                + " must be a"),
                argumentSet(
                        "a file that is not there",
                        "steps: [{at: 1m, apply: none.yaml}]\n" + expect,
                        "none.yaml: no such file"),
                argumentSet(
                        "no expectation", "steps: []\n", "test.yaml: the test expects nothing: write `expect`, or let"),
                argumentSet(
                        "an empty expectation",
                        "expect: [{at: 1m}]\n",
                        "expect[0]: has no expectation: give violations"),
                argumentSet(
                        "an unknown field of an expectation",
                        "expect: {evictions: [{pods: shop/web-1}]}\n",
                        "evictions[0]: there is no field `pods`; there are: at, count, node, outcome, pod, policy"),
                argumentSet(
                        "an outcome that no move can have",
                        "expect: {evictions: [{outcome: moved, count: 0}]}\n",
                        "test.yaml: expect[0]: evictions[0]: `outcome` cannot be moved: did you mean Moved?"
                                + " There are: Futile, Gone, Moved"),
                argumentSet(
                        "a reason that no hold can have",
                        "expect: {holds: [{reason: Infeasable, count: 0}]}\n",
                        "expect[0]: holds[0]: `reason` cannot be Infeasable: did you mean Infeasible? There are: "),
                argumentSet(
                        "a reason that is like no other word",
                        "expect: {holds: [{reason: Busy, count: 0}]}\n",
                        "expect[0]: holds[0]: `reason` cannot be Busy. There are: ApiError, "),
                argumentSet(
                        "a rule that no policy has",
                        "expect: {violations: [{rule: NodeAffinty, count: 0}]}\n",
                        "`rule` cannot be NodeAffinty: did you mean NodeAffinity? There are: NodeAffinity, PodAff"),
                argumentSet(
                        "two words that nothing can have",
                        "expect: {violations: [{rule: Spread}], evictions: [{outcome: Evicted}]}\n",
                        "Spread; "),
                argumentSet(
                        "an expectation after the end",
                        "end: 1m\nexpect: {at: 2m, evictions: []}\n",
                        "expect[0]: `at` must be at most the `end` of the test"),
                argumentSet(
                        "an end before the last step",
                        "steps: [{at: 2m, cordon: n1}]\nend: 1m\n" + expect,
                        "`end` must be at most 1440h, and not before the last step"),
                argumentSet(
                        "an instant without a zone",
                        "start: 2026-01-05\n" + expect,
                        "`start` must be an instant such as 2026-01-05T08:00:00Z, and is 2026-01-05"),
                argumentSet(
                        "too many copies of an expectation",
                        "expect: {evictions: [{count: 100001}]}\n",
                        "`count` must be at most 100000"));
    }

    @ParameterizedTest
    @MethodSource
    void unreadable(String test, String message) {
        TestFolder written = new TestFolder(folder)
                .file("claim.yaml", CLAIM.substring(CLAIM.indexOf("apiVersion")))
                .file("fewer.yaml", WEB.replace("replicas: 1", "replicas: -1"))
                .file(
                        "surge.yaml",
                        WEB.replace("image: web", "image: other")
                                .replace("replicas: 1", "replicas: 1\n  strategy: {rollingUpdate: {maxSurge: some}}"))
                .file("text.yaml", "{apiVersion: v1, kind: Node, metadata: {name: n5, labels: zone=a}}")
                .test(test);

        assertThatThrownBy(written::deviations)
                .isInstanceOf(DumpException.class)
                .hasMessageContaining(message);
    }

    static Stream<Arguments> clusters() {
        return Stream.of(
                argumentSet(
                        "a cluster without policies",
                        NODES,
                        "",
                        "test.yaml: there is no policy: write one to policies"),
                argumentSet(
                        "copies that are no number",
                        "{apiVersion: v1, kind: Node, metadata: {name: n, annotations: {cli.holdfast.dev/copies:"
                                + " many}}}",
                        POLICY,
                        "Node n: annotation cli.holdfast.dev/copies must be a number from 1 to 9999, and is many"),
                argumentSet("a text instead of an object", "hello", POLICY, "cluster.yaml:1:1: this line is no JSON"),
                argumentSet(
                        "an invalid policy",
                        NODES,
                        POLICY.replace("forgivenessSeconds: 60", "forgivenessSeconds: -1"),
                        "PlacementPolicy shop/keep is invalid"));
    }

    @ParameterizedTest
    @MethodSource
    void clusters(String cluster, String policies, String message) {
        TestFolder written = new TestFolder(folder)
                .file("cluster.yaml", cluster)
                .file("policies.yaml", policies.isEmpty() ? WEB : policies)
                .test("expect: {evictions: []}\n");

        assertThatThrownBy(written::deviations)
                .isInstanceOf(DumpException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aTestIsOfAnotherKind() {
        TestFolder written = new TestFolder(folder).file("test.yaml", "{apiVersion: v1, kind: Pod}");

        assertThatThrownBy(written::deviations)
                .hasMessageEndingWith(
                        "test.yaml: must begin with apiVersion: cli.holdfast.dev/v1 and kind: PolicyTest");
    }

    static Stream<Arguments> budgets() {
        return Stream.of(
                argumentSet("minAvailable as a number allows the rest", 3, "minAvailable: 2", true),
                argumentSet("minAvailable of all pods never allows", 3, "minAvailable: 3", false),
                argumentSet("minAvailable in percent is rounded up", 5, "minAvailable: 81%", false),
                argumentSet("minAvailable in percent leaves one", 5, "minAvailable: 80%", true),
                argumentSet("maxUnavailable in percent is rounded up", 3, "maxUnavailable: 10%", true),
                argumentSet("minAvailable of null is none", 3, "minAvailable: null, maxUnavailable: 1", true),
                argumentSet("maxUnavailable of zero never allows", 3, "maxUnavailable: 0", false));
    }

    @ParameterizedTest
    @MethodSource
    void budgets(int replicas, String limit, boolean allows) throws DumpException {
        TestFolder written = new TestFolder(folder)
                .file(
                        "cluster.yaml",
                        NODES + "---\n" + WEB.replace("replicas: 1", "replicas: " + replicas) + """
                            ---
                            apiVersion: policy/v1
                            kind: PodDisruptionBudget
                            metadata: {namespace: shop, name: web}
                            spec: {%s, selector: {matchLabels: {app: web}}}
                            """.formatted(limit))
                .test(steps(
                        "{at: 10m, label: {nodes: n1, remove: disk}}",
                        allows
                                ? "- {at: 11m, evictions: [{node: n1}]}\n"
                                : "- {at: 12m, evictions: [], violations: [{count: " + (replicas + 1) / 2 + "}]}\n"));

        assertThat(written.deviations()).isEmpty();
    }

    @Test
    void aPodThatIsRelabelledNoLongerCountsInItsBudget() throws DumpException {
        String solo = """
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: solo, labels: {app: %s}}
            spec: {nodeName: n2, containers: [{name: main, image: web}]}
            """;
        TestFolder written = new TestFolder(folder)
                .file("cluster.yaml", NODES + "---\n" + WEB.replace("replicas: 1", "replicas: 3") + """
                    ---
                    apiVersion: policy/v1
                    kind: PodDisruptionBudget
                    metadata: {namespace: shop, name: web}
                    spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}
                    """)
                .file("solo.yaml", solo.formatted("web"))
                .file("other.yaml", solo.formatted("other"))
                .test(steps("""
                    {at: 1m, apply: solo.yaml}
                    - {at: 2m, apply: other.yaml}
                    - {at: 10m, label: {nodes: n1, remove: disk}}\
                    """, "- {at: 14m, evictions: [], violations: [{count: 2}]}\n"));

        assertThat(written.deviations()).isEmpty();
    }

    @Test
    void aPodWithANodeAndWithoutAStatusRunsThere() throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", NODES + """
                            ---
                            apiVersion: v1
                            kind: Pod
                            metadata: {namespace: shop, name: alone}
                            spec: {nodeName: n2, nodeSelector: {disk: hdd}, containers: [{name: main, image: web}]}
                            """)
                        .test("expect: {at: 1s, violations: [{pod: shop/alone, node: n2}]}\n")
                        .deviations())
                .isEmpty();
    }

    @Test
    void podsOfAStatefulSetAreNumberedFromZero() throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", NODES + "---\n" + WEB.replace("Deployment", "StatefulSet"))
                        .test(evictions("{at: 10m, label: {nodes: n1, remove: disk}}", "{pod: shop/web-0, to: n2}"))
                        .deviations())
                .isEmpty();
    }

    /** A StatefulSet whose only pod runs in zone a, where its volume is. Node b1 is in zone b, and a2 in zone a. */
    private static final String ZONAL = """
        {apiVersion: v1, kind: Node, metadata: {name: a1, labels: {disk: ssd, topology.kubernetes.io/zone: a}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: a2, labels: {disk: hdd, topology.kubernetes.io/zone: a}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: b1, labels: {disk: ssd, topology.kubernetes.io/zone: b}}}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {namespace: shop, name: db}
        spec:
          replicas: 1
          selector: {matchLabels: {app: db}}
          volumeClaimTemplates: [{metadata: {name: data}}]
          template:
            metadata: {labels: {app: db}}
            spec: {nodeSelector: {disk: ssd}, containers: [{name: main, image: db}]}
        """;

    private static final String CLAIM = """
        ---
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {namespace: shop, name: data-db-0}
        spec: {volumeName: disk-0}
        status: {phase: Bound}
        ---
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: disk-0}
        spec:
          nodeAffinity:
            required:
              nodeSelectorTerms: [{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [a]}]}]
        """;

    static Stream<Arguments> volumes() {
        String follows =
                "steps:\n- {at: 10m, label: {nodes: a1, remove: disk}}\n- {at: 1h, label: {nodes: a2, set: {disk:"
                        + " ssd}}}\nend: 2h\nexpect:\n";
        return Stream.of(
                argumentSet(
                        "a pod is held while only nodes of other zones would take it, and lands where its volume is",
                        ZONAL + CLAIM,
                        follows
                                + "- {at: 30m, evictions: [], holds: [{pod: shop/db-0, node: a1, reason:"
                                + " VolumePinned}]}\n"
                                + "- {evictions: [{pod: shop/db-0, node: a1, to: a2, outcome: Moved}]}\n"),
                argumentSet(
                        "a pod whose claim is not in the files is held",
                        ZONAL,
                        follows + "- {evictions: [], holds: [{pod: shop/db-0, reason: VolumeUnreadable}]}\n"),
                argumentSet(
                        "a pod whose claim is in the files, and its volume is not, is held",
                        ZONAL + CLAIM.substring(0, CLAIM.lastIndexOf("---")),
                        follows + "- {evictions: [], holds: [{pod: shop/db-0, reason: VolumeUnreadable}]}\n"),
                argumentSet(
                        "a pod whose claim is bound to no volume is held",
                        ZONAL + CLAIM.replace("volumeName: disk-0", ""),
                        follows + "- {evictions: [], holds: [{pod: shop/db-0, reason: VolumeUnreadable}]}\n"),
                argumentSet(
                        "a volume that can be used everywhere moves to any zone",
                        ZONAL + CLAIM.replace("values: [a]", "values: [a, b]"),
                        follows + "- {at: 30m, evictions: [{pod: shop/db-0, to: b1}]}\n"));
    }

    @ParameterizedTest
    @MethodSource
    void volumes(String cluster, String test) throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", cluster)
                        .test(test)
                        .deviations())
                .isEmpty();
    }

    @Test
    void aWorkloadWhosePodsAreWrittenGetsNoOthers() throws DumpException {
        String owned = """
            ---
            apiVersion: apps/v1
            kind: ReplicaSet
            metadata: {namespace: shop, name: web, uid: rs, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: d, controller: true}]}
            spec: {replicas: 1}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: mine, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: rs, controller: true}]}
            spec: {nodeName: n1, nodeSelector: {disk: hdd}, containers: [{name: main, image: web}]}
            """;

        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", NODES + "---\n" + WEB + owned)
                        .test(steps(
                                "{at: 10m, label: {selector: disk=ssd, remove: disk}}",
                                "- violations: [{pod: shop/mine}]\n"))
                        .deviations())
                .isEmpty();
    }

    static Stream<Arguments> starts() {
        return Stream.of(
                argumentSet("a window is open by night, where tests begin by default", "", "[{to: n2}]"),
                argumentSet("a window is shut by day", "start: 2026-01-05T12:00:00Z\n", "[]"));
    }

    @ParameterizedTest
    @MethodSource
    void starts(String start, String expected) throws DumpException {
        String nightly = POLICY.replace(
                "mode: Enforce",
                "mode: Enforce, windows: [{name: night, action: Allow, schedule: \"0 0 * * *\", durationSeconds:"
                        + " 7200}]");

        assertThat(new TestFolder(folder)
                        .file("policies.yaml", nightly)
                        .test(start + "steps: {at: 10m, label: {nodes: n1, remove: disk}}\nend: 30m\n"
                                + "expect: {evictions: " + expected + "}\n")
                        .deviations())
                .isEmpty();
    }

    @Test
    void theConfigurationCapsTheMode() throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("holdfast.yaml", "maxMode: Audit\n")
                        .test("config: holdfast.yaml\n" + evictions("{at: 10m, label: {nodes: n1, remove: disk}}"))
                        .deviations())
                .isEmpty();
    }

    private static PolicyTests.Recorded written(TestFolder folder) {
        return new PolicyTests.Recorded(folder.name(), Optional.empty());
    }

    @Test
    void recordingWritesWhatHappensAndKeepsTheRest() throws DumpException {
        TestFolder written = new TestFolder(folder).test("""
            # Why this test is here.
            story: A node changes.
            expect:
            # About the beginning.
            - {at: 5m, evictions: []}
            # About another time than any that is recorded.
            - evictions: []
              # Below an expectation.

            # About the steps.
            steps: # By hand.
            - {at: 10m, label: {nodes: n1, set: {disk: hdd}}}
            """);

        assertThat(PolicyTests.record(List.of(written.name()), _ -> {})).containsExactly(written(written));

        assertThat(written.read("test.yaml")).isEqualTo(TestFolder.HEAD + """
            # Why this test is here.
            story: A node changes.
            # Below an expectation.
            # About the steps.
            steps: # By hand.
            - {at: 10m, label: {nodes: n1, set: {disk: hdd}}}
            # About another time than any that is recorded.
            expect:
            # About the beginning.
            - at: 5m
              violations: []
              evictions: []
              holds: []
            - at: 2h10m
              violations: []
              evictions:
              - {at: 11m, pod: shop/web-1, node: n1, to: n2, policy: shop/keep, rule: NodeAffinity, outcome: Moved}
              holds: []
            """);
        assertThat(written.deviations()).isEmpty();
    }

    @Test
    void recordingTwiceChangesNothing() throws DumpException {
        TestFolder written = new TestFolder(folder).test("""
            steps: []
            expect:
            # Nothing happens.
            - {at: 1h, evictions: []}
            # The end.
            """);
        PolicyTests.record(List.of(written.name()), _ -> {});
        String once = written.read("test.yaml");

        PolicyTests.record(List.of(written.name()), _ -> {});

        assertThat(written.read("test.yaml")).isEqualTo(once).contains("# Nothing happens.\n- at: 1h\n", "# The end.");
    }

    @Test
    void recordingMakesATestOfAFolderWithACluster() throws DumpException {
        TestFolder written = new TestFolder(folder);

        PolicyTests.record(List.of(written.name()), _ -> {});

        assertThat(written.read("test.yaml")).isEqualTo(TestFolder.HEAD + """
            steps: []
            expect:
            - at: 2h
              violations: []
              evictions: []
              holds: []
            """);
    }

    @Test
    void recordingKeepsTheTimesOfExpectations() throws DumpException {
        TestFolder written = new TestFolder(folder).test("""
            steps: {at: 10m, label: {nodes: n1, set: {disk: hdd}}}
            end: 1h
            expect: {at: 10m30s, evictions: []}
            """);

        PolicyTests.record(List.of(written.name()), _ -> {});

        assertThat(written.read("test.yaml")).endsWith("""
            expect:
            - at: 10m30s
              violations:
              - {pod: shop/web-1, node: n1, rule: NodeAffinity}
              evictions: []
              holds: []
            - at: 1h
              violations: []
              evictions:
              - {at: 11m, pod: shop/web-1, node: n1, to: n2, policy: shop/keep, rule: NodeAffinity, outcome: Moved}
              holds: []
            """);
        assertThat(written.deviations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"expect\": ", "'expect':", "\"expect\" : "})
    void recordingReplacesAnExpectationWhoseNameIsInQuotes(String expect) throws DumpException {
        TestFolder written = new TestFolder(folder).test("steps: []\n" + expect + " {at: 1h, evictions: []}\n");

        PolicyTests.record(List.of(written.name()), _ -> {});

        assertThat(written.read("test.yaml")).contains("expect:\n- at: 1h\n").doesNotContain("\"", "'");
        assertThat(written.deviations()).isEmpty();
    }

    @Test
    void recordingReplacesWordsThatNothingCanHave() throws DumpException {
        TestFolder written = new TestFolder(folder).test("expect: {violations: [{rule: renamed-rule}]}\n");

        PolicyTests.record(List.of(written.name()), _ -> {});

        assertThat(written.deviations()).isEmpty();
    }

    @Test
    void theNameOfARuleOfALaterPolicyIsAWord() throws DumpException {
        String named = POLICY.replace("keep", "late")
                .replace(
                        "limits:",
                        "rules: [{name: fast, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions:"
                                + " [{key: disk, operator: In, values: [ssd]}]}]}}}], limits:");

        assertThat(new TestFolder(folder)
                        .file("late.yaml", named)
                        .test(steps("{at: 5m, apply: late.yaml}", "- {at: 0s, violations: [{rule: fast, count: 0}]}\n"))
                        .deviations())
                .isEmpty();
    }

    /** {@return why nothing was written} */
    private static String problem(TestFolder written) throws DumpException {
        return PolicyTests.record(List.of(written.name()), _ -> {})
                .getFirst()
                .problem()
                .orElse("");
    }

    @Test
    void recordingWritesNothingToAFileInAnotherStyle() throws DumpException {
        String style = "{apiVersion: cli.holdfast.dev/v1, kind: PolicyTest,\n expect: {evictions: []}}\n";
        TestFolder written = new TestFolder(folder).file("test.yaml", style);

        assertThat(problem(written)).contains("test.yaml: `expect:` is not at the beginning of a line");
        assertThat(written.read("test.yaml")).isEqualTo(style);
    }

    @Test
    void recordingLeavesNoTestBehindIfTheClusterCannotBeRead() throws DumpException {
        TestFolder written = new TestFolder(folder).file("cluster.yaml", "hello");

        assertThat(problem(written)).contains("this line is no JSON, and no field of YAML: \"hello\"");
        assertThat(folder.resolve("test.yaml")).doesNotExist();
    }

    @Test
    void recordingGoesOnAfterATestThatCannotBePlayed() throws Exception {
        String bad = "steps: [{at: 1m, cordon: n9}]\n";
        TestFolder first = new TestFolder(Files.createDirectories(folder.resolve("a"))).test(bad);
        TestFolder second = new TestFolder(Files.createDirectories(folder.resolve("b"))).test("steps: []\n");

        assertThat(PolicyTests.record(List.of(folder.toString()), _ -> {}))
                .containsExactly(
                        new PolicyTests.Recorded(
                                first.name(), Optional.of(first.name() + "/test.yaml: steps[0]: there is no node n9")),
                        written(second));

        assertThat(first.read("test.yaml")).isEqualTo(TestFolder.HEAD + bad);
        assertThat(second.read("test.yaml")).contains("expect:");
    }

    @Test
    void recordingWritesNothingIfAFolderHasNoTest() throws Exception {
        TestFolder first = new TestFolder(Files.createDirectories(folder.resolve("a"))).test("steps: []\n");
        Path none = Files.createDirectories(folder.resolve("b"));

        assertThatThrownBy(() -> PolicyTests.record(List.of(first.name(), none.toString()), _ -> {}))
                .hasMessageContaining("no folder in it has a file test.yaml");
        assertThat(first.read("test.yaml")).doesNotContain("expect");
    }

    @Test
    void aTestThatCannotBeReadIsAResultAmongOthers() throws Exception {
        new TestFolder(Files.createDirectories(folder.resolve("a")))
                .test("steps: [{at: 1m, cordon: n9}]\nexpect: {holds: []}\n");
        new TestFolder(Files.createDirectories(folder.resolve("b"))).test("expect: {evictions: []}\n");

        TestReport report = PolicyTests.in(List.of(folder.toString()), _ -> {}).run(_ -> {});

        assertThat(report.summary()).isEqualTo(new TestReport.Summary(2, 1, 0, 1));
        assertThat(report.tests().getFirst().error()).contains("there is no node n9");
        assertThat(TestOutput.TABLE.lines(report, LineWidth.UNLIMITED)).anyMatch(line -> line.contains("Error"));
        assertThat(String.join("\n", TestOutput.JUNIT.lines(report, LineWidth.UNLIMITED)))
                .contains("<error message=", "errors=\"1\"");
    }

    /** What would silently make a test pass, because something in it has no effect. */
    static Stream<Arguments> ineffective() {
        return Stream.of(
                argumentSet(
                        "a policy with a misspelled field",
                        POLICY.replace("forgivenessSeconds", "forgivnessSeconds"),
                        "PlacementPolicy shop/keep has fields or values that this version does not know"),
                argumentSet(
                        "a policy with a misspelled mode",
                        POLICY.replace("mode: Enforce", "mode: enforce"),
                        "PlacementPolicy shop/keep has fields or values that this version does not know"),
                argumentSet(
                        "a pause with a misspelled field",
                        POLICY
                                + "---\n"
                                + "{apiVersion: holdfast.dev/v1alpha1, kind: EnforcementPause, metadata: {name: stop},"
                                + " spec: {reson: x}}\n",
                        "EnforcementPause stop is invalid, so it pauses all evictions: spec.reas"),
                argumentSet(
                        "a kind that the group does not have",
                        POLICY
                                + "---\n"
                                + "{apiVersion: holdfast.dev/v1alpha1, kind: PlacementPolicies, metadata: {name:"
                                + " x}}\n",
                        "holdfast.dev has no kind PlacementPolicies; there are: ClusterPlacementPolicy, Enforcement"),
                argumentSet(
                        "a budget without a number",
                        POLICY
                                + "---\n"
                                + "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {namespace: shop,"
                                + " name: web}, spec: {minAvailable: abc}}\n",
                        "PodDisruptionBudget shop/web is invalid: spec.minAvailable: Invalid value: abc: must be a"
                                + " number or a"),
                argumentSet(
                        "a workload with fewer replicas than none",
                        POLICY + "---\n"
                                + WEB.replace("name: web", "name: other").replace("replicas: 1", "replicas: -3"),
                        "Deployment shop/other: `replicas` must be a number from 0 to 10000, and is -3"));
    }

    @ParameterizedTest
    @MethodSource
    void ineffective(String policies, String message) {
        TestFolder written =
                new TestFolder(folder).file("policies.yaml", policies).test("expect: {evictions: []}\n");

        assertThatThrownBy(written::deviations)
                .isInstanceOf(DumpException.class)
                .hasMessageContaining(message);
    }

    private static final String SET = WEB.replace("Deployment", "StatefulSet");

    private static Arguments refused(String name, String kind, String spec, String message) {
        String written = kind.equals("Deployment") ? WEB : SET;
        return argumentSet(
                name,
                written,
                written.replace("replicas: 1", "replicas: 1\n  " + spec),
                kind + " shop/web is " + message);
    }

    /** What is applied and the API server refuses. */
    static Stream<Arguments> invalid() {
        String deployment = "Deployment";
        String set = "StatefulSet";
        String strategy = "invalid: spec.strategy.";
        String forbidden = "invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas',";
        String budget = """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {namespace: shop, name: web}
            spec: {selector: {}, %s}
            """;
        return Stream.of(
                refused(
                        "an unknown strategy",
                        deployment,
                        "strategy: {type: Rolling}",
                        strategy + "type: Unsupported value: Rolling: supported values: Recreate, RollingUpdate"),
                refused(
                        "more unavailable pods than all",
                        deployment,
                        "strategy: {rollingUpdate: {maxUnavailable: 101%}}",
                        strategy + "rollingUpdate.maxUnavailable: Invalid value: 101%: must not be greater than 100%"),
                refused(
                        "neither more pods nor fewer",
                        deployment,
                        "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0%}}",
                        strategy + "rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0"),
                refused(
                        "a rolling update of a Deployment that is recreated",
                        deployment,
                        "strategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}",
                        strategy + "rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"),
                argumentSet(
                        "another selector of a Deployment",
                        WEB,
                        WEB.replace("app: web", "app: other"),
                        "Deployment shop/web is invalid: spec.selector: Invalid value: field is immutable"),
                argumentSet(
                        "a selector of a Deployment with a label less",
                        WEB.replace("app: web", "app: web, tier: front"),
                        WEB,
                        "Deployment shop/web is invalid: spec.selector: Invalid value: field is immutable"),
                argumentSet(
                        "a template that the selector does not match",
                        WEB,
                        WEB.replace("metadata: {labels: {app: web}}", "metadata: {labels: {app: other}}"),
                        "Deployment shop/web is invalid: spec.template.metadata.labels: Invalid value: `selector`"
                                + " does"),
                refused(
                        "an unknown update strategy",
                        set,
                        "updateStrategy: {type: Recreate}",
                        "invalid: spec.updateStrategy.type: Unsupported value: Recreate"),
                refused(
                        "a partition below zero",
                        set,
                        "updateStrategy: {rollingUpdate: {partition: -1}}",
                        "invalid: spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater"),
                refused(
                        "an unknown pod management policy",
                        set,
                        "podManagementPolicy: Ordered",
                        "invalid: spec.podManagementPolicy: Unsupported value: Ordered"),
                refused("another pod management policy", set, "podManagementPolicy: Parallel", forbidden),
                refused("another service of a StatefulSet", set, "serviceName: other", forbidden),
                refused(
                        "claims of a StatefulSet that had none",
                        set,
                        "volumeClaimTemplates: [{metadata: {name: data}}]",
                        forbidden),
                argumentSet(
                        "another selector of a StatefulSet",
                        SET,
                        SET.replace("app: web", "app: other"),
                        "StatefulSet shop/web is " + forbidden),
                argumentSet(
                        "a budget with more pods than all",
                        WEB,
                        budget.formatted("minAvailable: 101%"),
                        "PodDisruptionBudget shop/web is invalid: spec.minAvailable: Invalid value: 101%: must not be"),
                argumentSet(
                        "a budget with a number in quotes",
                        WEB,
                        budget.formatted("minAvailable: '2'"),
                        "spec.minAvailable: Invalid value: 2: must be a number or a percentage"),
                argumentSet(
                        "a budget with two limits",
                        WEB,
                        budget.formatted("minAvailable: 1, maxUnavailable: 1"),
                        "invalid: spec: Invalid value: minAvailable and maxUnavailable cannot be both set"));
    }

    @ParameterizedTest
    @MethodSource
    void invalid(String workload, String applied, String message) {
        TestFolder written = new TestFolder(folder)
                .file("cluster.yaml", NODES + "---\n" + workload)
                .file("applied.yaml", applied)
                .test("steps: [{at: 1m, apply: applied.yaml}]\nexpect: {evictions: []}\n");

        assertThatThrownBy(written::deviations)
                .isInstanceOf(DumpException.class)
                .hasMessageContaining(message);
    }

    static Stream<Arguments> valid() {
        String parallel = SET.replace(
                "replicas: 1",
                "replicas: 1\n  serviceName: web\n  podManagementPolicy: Parallel\n"
                        + "  volumeClaimTemplates: [{metadata: {name: data}, spec: {volumeMode: Filesystem}}]");
        return Stream.of(
                argumentSet("a StatefulSet whose immutable fields are not said", parallel, SET),
                argumentSet(
                        "a claim template without what the API server adds",
                        parallel,
                        parallel.replace(", spec: {volumeMode: Filesystem}", "")),
                argumentSet(
                        "the usual pod management policy",
                        SET,
                        SET.replace("replicas: 1", "replicas: 1\n  podManagementPolicy: OrderedReady")),
                argumentSet(
                        "twice as many pods in a roll-out",
                        WEB,
                        WEB.replace("replicas: 1", "replicas: 1\n  strategy: {rollingUpdate: {maxSurge: 200%}}")));
    }

    @ParameterizedTest
    @MethodSource
    void valid(String workload, String applied) throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", NODES + "---\n" + workload)
                        .file("applied.yaml", applied)
                        .test("""
                            steps: [{at: 1m, apply: applied.yaml}, {at: 2m, apply: cluster.yaml}]
                            expect: {evictions: []}
                            """)
                        .deviations())
                .allMatch(line -> line.endsWith(": changes nothing at this time"));
    }

    static Stream<Arguments> warnings() {
        return Stream.of(
                argumentSet(
                        "pods that no node takes",
                        WEB.replace("disk: ssd", "disk: sdd"),
                        "1 pod without a node at the beginning, for example shop/web-1: 2 nodes: 2 against"
                                + " its rule NodeAffinity: disk=sdd: it has disk=ssd"),
                argumentSet(
                        "a DaemonSet without pods",
                        WEB + "---\n{apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: shop, name: agent}}\n",
                        "DaemonSet shop/agent: no pod of it is in the files, and none is created"),
                argumentSet(
                        "pods whose ReplicaSet is not in the files",
                        WEB + """
                            ---
                            apiVersion: v1
                            kind: Pod
                            metadata: {namespace: shop, name: web-a1-x, labels: {app: web}}
                            spec: {nodeName: n1, containers: [{name: main, image: web}]}
                            """,
                        "Deployment shop/web: the files have pods with its labels, but no ReplicaSet that ties these"
                                + " pods to it: add rs to kubectl get"),
                argumentSet(
                        "a Deployment of another apiVersion",
                        "{apiVersion: v1, kind: Deployment, metadata: {namespace: shop, name: web}}\n",
                        "1 object of kind Deployment left out: nothing depends on them, or their apiVersion is another"
                                + " one"));
    }

    @ParameterizedTest
    @MethodSource
    void warnings(String object, String warning) throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", NODES + "---\n" + object)
                        .test("expect: {evictions: []}\n")
                        .deviations())
                .singleElement()
                .asString()
                .endsWith(warning);
    }

    @Test
    void aRollOutThatHangsIsWarnedOf() throws DumpException, IOException {
        Path field = Path.of("src/test/resources/dev/holdfast/operator/field/roll-out-hangs");

        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", Files.readString(field.resolve("cluster.yaml")))
                        .file("next.yaml", Files.readString(field.resolve("next.yaml")))
                        .file("policies.yaml", TestFolder.POLICY.replace("namespace: shop", "namespace: net"))
                        .test("""
                            steps: [{at: 5m, apply: next.yaml}]
                            end: 1h
                            expect: [{at: 1h, evictions: []}]
                            """)
                        .deviations())
                .containsExactly(
                        folder + ": 1 pod without a node at the end, for example net/resolver-r2-1: 3 nodes: 3 against"
                                + " its rule PodAntiAffinity: apart from (k8s-app=resolver) by kubernetes.io/hostname,"
                                + " for example r-1: kubernetes.io/hostname=r-1 has net/resolver-1-1",
                        folder + ": the roll-out of Deployment net/resolver hangs: pod resolver-r2-1: 3 nodes: 3"
                                + " against its rule PodAntiAffinity: apart from (k8s-app=resolver) by"
                                + " kubernetes.io/hostname, for example r-1: kubernetes.io/hostname=r-1 has"
                                + " net/resolver-1-1");
    }

    static Stream<Arguments> stepsWithoutEffect() {
        return Stream.of(
                argumentSet(
                        "a label that the node has already", "{at: 1m, label: {nodes: n1, set: {disk: ssd}}}", true),
                argumentSet("a node that is cordoned already", "{at: 1m, cordon: n1}\n- {at: 2m, cordon: n1}", true),
                argumentSet(
                        "a pod whose node has failed",
                        "{at: 1m, crash: shop/web-1, fail: n1}\n- {at: 2m, repair: shop/web-1}",
                        true),
                argumentSet("a pod that is Ready already", "{at: 1m, repair: shop/web-1}", true),
                argumentSet(
                        "a label of two nodes that one of them has",
                        "{at: 1m, label: {nodes: n1, remove: disk}}",
                        false),
                argumentSet("a policy that enforces already", "{at: 1m, enforce: shop/keep}", true),
                argumentSet(
                        "a policy that is enforced twice",
                        "{at: 1m, apply: audit.yaml}\n- {at: 2m, enforce: shop/keep}\n- {at: 3m, enforce: shop/keep}",
                        true),
                argumentSet(
                        "a policy that audits again",
                        "{at: 1m, apply: audit.yaml}\n- {at: 2m, enforce: shop/keep}\n- {at: 3m, apply: audit.yaml}",
                        false),
                argumentSet("a policy that is applied as it is", "{at: 1m, apply: policies.yaml}", true),
                argumentSet("objects that are applied as they are", "{at: 1m, apply: cluster.yaml}", true),
                argumentSet("a policy that gets an annotation", "{at: 1m, apply: annotated.yaml}", false),
                argumentSet("another policy with the same spec", "{at: 1m, apply: other-name.yaml}", false),
                argumentSet(
                        "a pod, a budget and a quota that are applied as they are",
                        "{at: 1m, apply: objects.yaml}\n- {at: 2m, apply: objects.yaml}",
                        true),
                argumentSet(
                        "a StatefulSet that is applied as it is",
                        "{at: 1m, apply: set.yaml}\n- {at: 2m, apply: set.yaml}",
                        true),
                argumentSet(
                        "a node that is applied as it was",
                        "{at: 1m, label: {nodes: n1, set: {rack: r1}}}\n- {at: 2m, apply: cluster.yaml}",
                        false),
                argumentSet(
                        "a node that has failed and is applied as it was",
                        "{at: 1m, fail: n1}\n- {at: 2m, apply: cluster.yaml}",
                        true),
                argumentSet(
                        "a node that is cordoned and applied as it was",
                        "{at: 1m, cordon: n1}\n- {at: 2m, apply: cluster.yaml}",
                        true),
                argumentSet(
                        "a node that is cordoned and applied as schedulable",
                        "{at: 1m, cordon: n1}\n- {at: 2m, apply: schedulable.yaml}",
                        false),
                argumentSet(
                        "a node that is applied as schedulable, and was so", "{at: 2m, apply: schedulable.yaml}", true),
                argumentSet("a Deployment that is paused", "{at: 1m, apply: paused.yaml}", false),
                argumentSet(
                        "a Deployment that is paused already",
                        "{at: 1m, apply: paused.yaml}\n- {at: 2m, apply: paused.yaml}",
                        true),
                argumentSet(
                        "a Deployment that has as many replicas already",
                        "{at: 1m, scale: {kind: Deployment, namespace: shop, name: web, replicas: 1}}",
                        true),
                argumentSet(
                        "a paused roll-out that is scaled",
                        "{at: 1m, apply: image.yaml}\n- {at: 1m1s, apply: paused-image.yaml}\n"
                                + "- {at: 1m2s, scale: {kind: Deployment, namespace: shop, name: web, replicas: 2}}",
                        false),
                argumentSet(
                        "a StatefulSet that has as many replicas already",
                        "{at: 1m, apply: set.yaml}\n"
                                + "- {at: 2m, scale: {kind: StatefulSet, namespace: shop, name: web, replicas: 1}}",
                        true),
                argumentSet("new pods that start", "{at: 1m, newPods: Start}", false));
    }

    @ParameterizedTest
    @MethodSource
    void stepsWithoutEffect(String step, boolean warned) throws DumpException {
        String image = WEB.replace("image: web", "image: web:v2");
        List<String> lines = new TestFolder(folder)
                .file("audit.yaml", POLICY.replace("Enforce", "Audit"))
                .file("schedulable.yaml", NODES.replace("}}}", "}}, spec: {unschedulable: false}}"))
                .file("set.yaml", WEB.replace("Deployment", "StatefulSet"))
                .file("annotated.yaml", POLICY.replace("name: keep", "name: keep, annotations: {owner: me}"))
                .file("other-name.yaml", POLICY.replace("keep", "other"))
                .file("objects.yaml", """
                    apiVersion: v1
                    kind: Pod
                    metadata: {namespace: shop, name: alone}
                    spec: {nodeName: n2, containers: [{name: main, image: web}]}
                    ---
                    apiVersion: policy/v1
                    kind: PodDisruptionBudget
                    metadata: {namespace: shop, name: web}
                    spec: {minAvailable: 1, selector: {}}
                    ---
                    apiVersion: v1
                    kind: ResourceQuota
                    metadata: {namespace: shop, name: pods}
                    spec: {hard: {pods: "9"}}
                    status: {hard: {pods: "9"}, used: {pods: "1"}}
                    """)
                .file("image.yaml", image)
                .file("paused.yaml", WEB.replace("replicas: 1", "replicas: 1\n  paused: true"))
                .file("paused-image.yaml", image.replace("replicas: 1", "replicas: 1\n  paused: true"))
                .test(steps(step, "- {at: 0s, evictions: []}\n"))
                .deviations();

        assertThat(lines).hasSize(warned ? 1 : 0).allMatch(line -> line.endsWith(": changes nothing at this time"));
    }

    private static final String JOB =
            WEB.replace("apps/v1", "batch/v1").replace("Deployment", "Job").replace("replicas: 1", "suspend: true");

    static Stream<Arguments> missingPods() {
        String pod = """
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: web-1, ownerReferences: [{kind: KIND, name: web, controller: true}]}
            spec: {nodeName: n1, containers: [{name: main, image: web}]}
            """;
        return Stream.of(
                argumentSet("a Deployment", WEB, List.of()),
                argumentSet(
                        "a suspended Job",
                        JOB + "---\n" + pod.replace("KIND", "Job"),
                        List.of("its controller Job web is suspended and creates no pods (spec.suspend)")),
                argumentSet(
                        "a custom controller",
                        pod.replace("KIND", "CloneSet"),
                        List.of("Holdfast does not know whether its controller CloneSet web would create another pod")),
                argumentSet(
                        "a namespace that enforces a level which the pod does not satisfy",
                        WEB + """
                            ---
                            apiVersion: v1
                            kind: Namespace
                            metadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: restricted}}
                            """,
                        List.of("the API server would refuse the replacement: the label"
                            + " pod-security.kubernetes.io/enforce of namespace shop enforces restricted, and the pod"
                            + " satisfies baseline at most")));
    }

    @ParameterizedTest
    @MethodSource
    void missingPods(String workload, List<String> why) throws DumpException {
        List<String> lines = new TestFolder(folder)
                .file("cluster.yaml", NODES + "---\n" + workload)
                .test(steps("{at: 1m, delete: shop/web-1}", "- evictions: []\n"))
                .deviations();

        assertThat(lines)
                .isEqualTo(why.stream()
                        .map(it -> folder + ": 1 pod missing at the end, for example shop/web-1-new: " + it)
                        .toList());
    }

    static Stream<Arguments> idlePolicies() {
        String other = POLICY.replace("podSelector: {}", "podSelector: {matchLabels: {app: other}}");
        return Stream.of(
                argumentSet("a policy that selects another pod", other, "{at: 1m, cordon: n1}", true),
                argumentSet("a policy whose pod is created later", other, "{at: 1m, apply: other.yaml}", false),
                argumentSet(
                        "a policy whose pod is gone at the end",
                        POLICY,
                        "{at: 1m, scale: {kind: Deployment, namespace: shop, name: web, replicas: 0}}",
                        false));
    }

    @ParameterizedTest
    @MethodSource
    void idlePolicies(String policy, String step, boolean warned) throws DumpException {
        List<String> lines = new TestFolder(folder)
                .file("policies.yaml", policy)
                .file("other.yaml", WEB.replace("web", "other"))
                .test(steps(step, "- evictions: []\n"))
                .deviations();

        assertThat(lines)
                .hasSize(warned ? 1 : 0)
                .allMatch(line -> line.endsWith(": policy shop/keep selects no pod at any time"));
    }

    @Test
    void eachRuleOfAPodIsAViolationOfItsOwn() throws DumpException {
        String spread = """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: twice, labels: {app: web}}
            spec:
              nodeName: n1
              containers: [{name: main, image: web}]
              topologySpreadConstraints:
              - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
              - {maxSkew: 1, topologyKey: disk, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
            """;

        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", NODES + spread)
                        .test("""
                            steps: {at: 1m, label: {nodes: n1, remove: disk}}
                            expect: {at: 1m, violations: [{pod: shop/twice, rule: TopologySpread, count: 2}]}
                            """)
                        .deviations())
                .isEmpty();
    }

    @Test
    void aWorkloadThatIsAppliedAgainIsScaled() throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("more.yaml", WEB.replace("replicas: 1", "replicas: 2"))
                        .test(evictions(
                                "{at: 10m, apply: more.yaml}\n- {at: 20m, label: {nodes: n2, remove: disk}}",
                                "{node: n2, to: n1}"))
                        .deviations())
                .isEmpty();
    }

    @Test
    void foldersInFoldersAreTestsToo() throws Exception {
        Path inner = Files.createDirectories(folder.resolve("a/b"));
        new TestFolder(inner).test("expect: {evictions: []}\n");
        new TestFolder(folder).test("expect: {evictions: [{}]}\n");

        List<String> warnings = new ArrayList<>();
        TestReport report =
                PolicyTests.in(List.of(folder.toString()), warnings::add).run(_ -> {});

        assertThat(report.tests())
                .extracting(TestReport.Result::name)
                .containsExactly(folder.toString(), inner.toString());
        assertThat(report.summary()).isEqualTo(new TestReport.Summary(2, 1, 1, 0));
        assertThat(warnings).isEmpty();
    }

    @Test
    void aLinkedFolderIsATestToo() throws Exception {
        Path real = Files.createDirectories(folder.resolve("real"));
        new TestFolder(real).test("expect: {evictions: []}\n");
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);

        assertThat(PolicyTests.in(List.of(link.toString()), _ -> {})
                        .run(_ -> {})
                        .summary())
                .isEqualTo(new TestReport.Summary(1, 1, 0, 0));
    }

    @Test
    void aFieldOfAnObjectThatIsUnknownIsAWarning() throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", NODES + "---\n" + WEB.replace("nodeSelector:", "nodeSelectors:"))
                        .test("expect: {evictions: []}\n")
                        .deviations())
                .singleElement()
                .asString()
                .contains("nodeSelectors");
    }
}
