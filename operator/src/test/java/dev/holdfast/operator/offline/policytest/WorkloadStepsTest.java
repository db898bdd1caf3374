package dev.holdfast.operator.offline.policytest;

import static dev.holdfast.operator.offline.policytest.TestFolder.NODES;
import static dev.holdfast.operator.offline.policytest.TestFolder.POLICY;
import static dev.holdfast.operator.offline.policytest.TestFolder.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.dump.DumpException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pods that crash, nodes that fail, and roll-outs. In most rows both nodes lose the label that the pods need at 20m, so
 * that the violations name the pods that there are. The budget allows one disruption of two pods.
 */
class WorkloadStepsTest {
    private static final String BUDGET = """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {namespace: shop, name: web}
        spec: {minAvailable: 50%, selector: {matchLabels: {app: web}}}
        """;

    private static final String TWO = WEB.replace("replicas: 1", "replicas: 2");
    private static final String SET = TWO.replace("Deployment", "StatefulSet");
    private static final String PARALLEL = SET.replace("replicas: 2", "replicas: 2\n  podManagementPolicy: Parallel");
    private static final String JOB = WEB.replace("apps/v1", "batch/v1").replace("Deployment", "Job");

    /** The Deployment with another image, which the operator does not read. */
    private static final String NEW_IMAGE = WEB.replace("image: web", "image: web:v2");

    /** The StatefulSet without the rule, so that its new pods violate nothing. */
    private static final String FREE_SET = SET.replace("{nodeSelector: {disk: ssd}, ", "{");

    private static final String OWNED = """
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: {namespace: shop, name: web-x, ownerReferences: [{kind: Deployment, name: web, controller: true}]}
        spec:
          replicas: 1
          template:
            metadata: {labels: {app: web}}
            spec: {nodeSelector: {disk: ssd}, containers: [{name: main, image: web}]}
        ---
        """ + WEB;

    private static final String AGENT = """
        apiVersion: v1
        kind: Pod
        metadata: {namespace: shop, name: agent, ownerReferences: [{kind: DaemonSet, name: agent, controller: true}]}
        spec: {nodeName: n1, nodeSelector: {disk: ssd}, containers: [{name: main, image: agent}]}
        """;

    private static final String LOST = "{at: 20m, label: {nodes: [n1, n2], remove: disk}}";

    @TempDir
    private Path folder;

    private static String running(String at, String... pods) {
        return "{at: " + at + ", violations: [" + String.join(", ", pods) + "]}";
    }

    private static Arguments row(String name, String workload, List<String> steps, String... expect) {
        return argumentSet(name, workload, steps, List.of(expect));
    }

    static Stream<Arguments> podsAndNodes() {
        String n1Lost = "{at: 10m, label: {nodes: n1, remove: disk}}";
        return Stream.of(
                row(
                        "a pod that crashes takes a disruption from its budget, until it is repaired",
                        TWO,
                        List.of("{at: 5m, crash: shop/web-2}", n1Lost, "{at: 15m, repair: shop/web-2}"),
                        "{at: 14m, evictions: [], holds: [{pod: shop/web-1, reason: DisruptionBudget}]}",
                        "{at: 16m, evictions: [{at: 15m, pod: shop/web-1, outcome: Moved}]}"),
                row(
                        "the pod in the place of a crashed one gives the disruption back when it is Ready",
                        TWO,
                        List.of(
                                "{at: 5m, crash: shop/web-2, newPods: NotReady}",
                                "{at: 6m, delete: shop/web-2}",
                                n1Lost,
                                "{at: 15m, newPods: Start}"),
                        "{at: 15m19s, evictions: [], holds: [{pod: shop/web-1, reason: DisruptionBudget}]}",
                        "{at: 16m, evictions: [{at: 15m20s, pod: shop/web-1, outcome: Moved}]}"),
                row(
                        "the pods of a failed node are replaced after five minutes",
                        WEB,
                        List.of(
                                "{at: 10m, fail: n1}",
                                "{at: 14m, label: {nodes: [n1, n2], remove: disk}}",
                                "{at: 16m, label: {nodes: n2, set: {disk: ssd}}}",
                                "{at: 20m, label: {nodes: n2, remove: disk}}"),
                        running("14m59s", "{pod: shop/web-1}"),
                        running("20m", "{pod: shop/web-1-new, node: n2}")),
                row(
                        "the pods of a node that recovers within five minutes stay",
                        WEB,
                        List.of("{at: 10m, fail: n1}", "{at: 14m, recover: n1}", LOST),
                        running("20m", "{pod: shop/web-1, node: n1}")),
                row(
                        "a node that fails again is given five minutes again",
                        WEB,
                        List.of(
                                "{at: 10m, fail: n1}",
                                "{at: 14m, recover: n1}",
                                "{at: 14m30s, fail: n1}",
                                "{at: 19m, recover: n1}",
                                LOST),
                        running("20m", "{pod: shop/web-1, node: n1}")),
                row(
                        "the pod of a StatefulSet on a failed node is replaced when the node is back",
                        SET,
                        List.of("{at: 5m, fail: n2}", "{at: 15m, cordon: n2}", "{at: 16m, recover: n2}", LOST),
                        running("20m", "{pod: shop/web-0, node: n1}", "{pod: shop/web-1, node: n1}")),
                row(
                        "a crashed pod is not Ready when its node is back",
                        TWO,
                        List.of("{at: 5m, crash: shop/web-2}", "{at: 6m, fail: n2}", "{at: 7m, recover: n2}", n1Lost),
                        "{at: 14m, evictions: [], holds: [{pod: shop/web-1, reason: DisruptionBudget}]}"),
                row(
                        "new pods that the API server refuses come when it accepts them",
                        WEB,
                        List.of(
                                "{at: 5m, newPods: Refused}",
                                "{at: 6m, delete: shop/web-1}",
                                "{at: 10m, label: {nodes: n2, remove: disk}}",
                                "{at: 12m, newPods: Start}",
                                "{at: 20m, label: {nodes: n1, remove: disk}}"),
                        running("20m", "{pod: shop/web-1-new, node: n1}")),
                row(
                        "new pods that do not become Ready keep the disruption of their budget",
                        TWO,
                        List.of(
                                "{at: 5m, newPods: NotReady}",
                                "{at: 6m, delete: shop/web-2}",
                                n1Lost,
                                "{at: 15m, newPods: Start}"),
                        "{at: 15m19s, evictions: []}",
                        "{at: 17m, evictions: [{at: 15m20s, pod: shop/web-1}]}"),
                row(
                        "the pods of a Job are created, as many as run at a time",
                        JOB.replace("replicas: 1", "parallelism: 3\n  completions: 2"),
                        List.of(LOST),
                        running("20m", "{pod: shop/web-1}", "{pod: shop/web-2}")),
                row(
                        "a pod of a Job that has finished violates nothing",
                        JOB.replace("replicas: 1", "parallelism: 2"),
                        List.of("{at: 10m, finish: shop/web-1}", LOST),
                        running("20m", "{pod: shop/web-2}")),
                row(
                        "a Job of a cluster gets no pods, as it has those that it should have",
                        WEB + "---\n" + JOB.replace("web", "job").replace("replicas: 1", "parallelism: 1")
                                + "status: {succeeded: 1}\n",
                        List.of(LOST),
                        running("20m", "{pod: shop/web-1}")),
                row(
                        "the pod of a DaemonSet stays on a failed node",
                        AGENT,
                        List.of("{at: 5m, fail: n1}", "{at: 12m, recover: n1}", LOST),
                        running("20m", "{pod: shop/agent}")),
                row(
                        "a suspended Job has no pods",
                        WEB + "---\n"
                                + JOB.replace("replicas: 1", "suspend: true").replace("web", "job"),
                        List.of(LOST),
                        running("20m", "{pod: shop/web-1}")),
                row(
                        "a workload without pods is scaled up",
                        WEB.replace("replicas: 1", "replicas: 0"),
                        List.of("{at: 10m, scale: {kind: Deployment, namespace: shop, name: web, replicas: 2}}", LOST),
                        running("20m", "{pod: shop/web-1}", "{pod: shop/web-2}")));
    }

    static Stream<Arguments> rollOuts() {
        return Stream.of(
                row(
                        "a new image is rolled out",
                        WEB,
                        List.of("{at: 10m, apply: image.yaml}", LOST),
                        running("20m", "{pod: shop/web-r2-1}")),
                row(
                        "each new template is rolled out",
                        WEB,
                        List.of("{at: 10m, apply: image.yaml}", "{at: 12m, apply: web.yaml}", LOST),
                        running("20m", "{pod: shop/web-r3-1}")),
                row(
                        "an earlier template keeps the old pods of a roll-out, and ends the new ones",
                        TWO,
                        List.of("{at: 19m30s, apply: unsaid.yaml}", "{at: 19m35s, apply: unsaid-web.yaml}", LOST),
                        running("20m", "{pod: shop/web-1}", "{pod: shop/web-2}")),
                row(
                        "an earlier template after a roll-out is rolled out with pods of its own",
                        TWO,
                        List.of("{at: 5m, apply: unsaid.yaml}", "{at: 10m, apply: unsaid-web.yaml}", LOST),
                        running("20m", "{pod: shop/web-r3-1}", "{pod: shop/web-r3-2}")),
                row(
                        "the second template after the first one again is rolled out with pods of its own",
                        WEB,
                        List.of(
                                "{at: 5m, apply: image.yaml}",
                                "{at: 10m, apply: web.yaml}",
                                "{at: 15m, apply: image.yaml}",
                                LOST),
                        running("20m", "{pod: shop/web-r4-1}")),
                row(
                        "a Deployment that has returned to an earlier template is scaled up from none",
                        WEB,
                        List.of(
                                "{at: 5m, apply: image.yaml}",
                                "{at: 10m, apply: web.yaml}",
                                "{at: 15m, scale: {kind: Deployment, namespace: shop, name: web, replicas: 0}}",
                                "{at: 16m, scale: {kind: Deployment, namespace: shop, name: web, replicas: 1}}",
                                LOST),
                        running("20m", "{pod: shop/web-r3-1}")),
                row(
                        "a Deployment written with its ReplicaSet returns to it",
                        OWNED,
                        List.of("{at: 19m55s, apply: image.yaml}", "{at: 19m58s, apply: web.yaml}", LOST),
                        running("20m", "{pod: shop/web-x-1}")),
                row(
                        "a template with fewer fields than the stored one is the same",
                        WEB.replace("image: web", "image: web, imagePullPolicy: Always"),
                        List.of("{at: 10m, apply: web.yaml}", LOST),
                        running("20m", "{pod: shop/web-1}")),
                row(
                        "a template without the rule of the stored one is another one",
                        WEB,
                        List.of("{at: 10m, apply: free.yaml}", LOST),
                        running("20m")),
                row(
                        "a template with a container less is another one",
                        WEB.replace("{name: main, image: web}", "{name: main, image: web}, {name: side, image: web}"),
                        List.of("{at: 10m, apply: web.yaml}", LOST),
                        running("20m", "{pod: shop/web-r2-1}")),
                row(
                        "a StatefulSet that is applied again as it is may move its pods",
                        SET,
                        List.of("{at: 5m, apply: same-set.yaml}", "{at: 15m, label: {nodes: n1, remove: disk}}"),
                        "{at: 25m, evictions: [{pod: shop/web-0, outcome: Moved}]}"),
                row(
                        "a budget allows as much after a roll-out as before: one pod moves",
                        TWO,
                        List.of("{at: 5m, apply: unsaid.yaml}", "{at: 15m, label: {nodes: n1, remove: disk}}"),
                        "{at: 25m, evictions: [{node: n1, outcome: Moved}]}"),
                row(
                        "a budget allows no more after a roll-out than before: a pod crashes, and the other is held",
                        TWO,
                        List.of(
                                "{at: 5m, apply: unsaid.yaml}",
                                "{at: 10m, crash: shop/web-r2-1, newPods: NotReady}",
                                "{at: 15m, label: {nodes: [n1, n2], remove: disk}}",
                                "{at: 16m, apply: n3.yaml}"),
                        "{at: 25m, evictions: [{pod: shop/web-r2-1}],"
                                + " holds: [{pod: shop/web-r2-2, reason: DisruptionBudget}]}"),
                row(
                        "a paused Deployment is not rolled out",
                        WEB,
                        List.of("{at: 10m, apply: paused.yaml}", LOST),
                        running("20m", "{pod: shop/web-1}")),
                row(
                        "a paused Deployment is rolled out when it goes on",
                        WEB,
                        List.of("{at: 10m, apply: paused.yaml}", "{at: 11m, apply: image.yaml}", LOST),
                        running("20m", "{pod: shop/web-r2-1}")),
                row(
                        "a Deployment keeps its number of replicas if the file does not say it",
                        TWO,
                        List.of("{at: 10m, apply: unsaid.yaml}", LOST),
                        running("20m", "{pod: shop/web-r2-1}", "{pod: shop/web-r2-2}")),
                row(
                        "maxSurge lets a new pod be created first, and the old one ends when that is Ready",
                        WEB,
                        List.of("{at: 19m55s, apply: image.yaml}", LOST),
                        running("20m", "{pod: shop/web-1}", "{pod: shop/web-r2-1}"),
                        running("20m16s", "{pod: shop/web-r2-1}")),
                row(
                        "another template with more replicas creates new pods only",
                        TWO,
                        List.of("{at: 19m55s, apply: four.yaml}", LOST),
                        running(
                                "20m",
                                "{pod: shop/web-1}",
                                "{pod: shop/web-2}",
                                "{pod: shop/web-r2-1}",
                                "{pod: shop/web-r2-2}",
                                "{pod: shop/web-r2-3}")),
                row(
                        "another template with fewer replicas ends old pods only",
                        TWO.replace("replicas: 2", "replicas: 4"),
                        List.of("{at: 19m55s, apply: image.yaml}", LOST),
                        running("20m", "{}", "{pod: shop/web-r2-1}"),
                        running("20m16s", "{pod: shop/web-r2-1}")),
                row(
                        "an old pod that has crashed ends only when enough new ones are Ready",
                        TWO,
                        List.of("{at: 10m, crash: shop/web-2}", "{at: 19m55s, apply: unsaid.yaml}", LOST),
                        running("20m", "{pod: shop/web-1}", "{pod: shop/web-2}", "{pod: shop/web-r2-1}"),
                        running("20m16s", "{pod: shop/web-1}", "{pod: shop/web-r2-1}")),
                row(
                        "maxUnavailable lets an old pod end first",
                        TWO,
                        List.of("{at: 19m55s, apply: unavailable.yaml}", LOST),
                        running("20m", "{pod: shop/web-2}", "{pod: shop/web-r2-1}"),
                        running("20m16s", "{pod: shop/web-r2-1}")),
                row(
                        "a Deployment whose maxSurge and maxUnavailable are none ends one old pod first",
                        WEB,
                        List.of("{at: 19m55s, apply: stuck.yaml}", LOST),
                        running("20m", "{pod: shop/web-r2-1}")),
                row(
                        "a Deployment is recreated: all old pods end first",
                        TWO,
                        List.of("{at: 19m55s, apply: recreate.yaml}", LOST),
                        running("19m56s"),
                        running("20m", "{pod: shop/web-r2-1}", "{pod: shop/web-r2-2}")),
                row(
                        "a roll-out of pods that do not become Ready stops",
                        TWO,
                        List.of("{at: 5m, newPods: NotReady}", "{at: 10m, apply: unsaid.yaml}", LOST),
                        running("20m", "{pod: shop/web-1}", "{pod: shop/web-2}", "{pod: shop/web-r2-1}")),
                row(
                        "a StatefulSet is updated from its last pod to its first, one when the other is Ready",
                        SET,
                        List.of("{at: 19m55s, apply: set.yaml}", LOST),
                        running("20m", "{pod: shop/web-0}"),
                        running("20m15s", "{pod: shop/web-0}"),
                        running("20m16s")),
                row(
                        "a StatefulSet is updated from its partition on",
                        SET,
                        List.of("{at: 10m, apply: partition.yaml}", LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a StatefulSet with OnDelete takes its new template when a pod is deleted",
                        SET,
                        List.of("{at: 10m, apply: delete.yaml}", "{at: 11m, delete: shop/web-1}", LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a StatefulSet whose update is over may move its pods",
                        SET,
                        List.of("{at: 5m, apply: set-image.yaml}", "{at: 15m, label: {nodes: n1, remove: disk}}"),
                        "{at: 25m, evictions: [{pod: shop/web-0, outcome: Moved}]}"));
    }

    /** What changes a workload while its roll-out runs, and what stops a roll-out. */
    static Stream<Arguments> rollOutsThatAreDisturbed() {
        String image = "{at: 19m30s, apply: unsaid.yaml}";
        String scale = "scale: {kind: %s, namespace: shop, name: web, replicas: %d}";
        String toFour = scale.formatted("Deployment", 4);
        return Stream.of(
                row(
                        "a Deployment that is applied twice has all its pods in the end",
                        TWO,
                        List.of("{at: 5m, apply: unsaid.yaml}", "{at: 5m5s, apply: unsaid.yaml}", LOST),
                        running("20m", "{pod: shop/web-r2-1}", "{pod: shop/web-r2-2}")),
                row(
                        "a Deployment that is scaled up during its roll-out has new pods in the end",
                        TWO,
                        List.of("{at: 5m, apply: unsaid.yaml}", "{at: 5m5s, " + toFour + "}", LOST),
                        running(
                                "20m",
                                "{pod: shop/web-r2-1}",
                                "{pod: shop/web-r2-2}",
                                "{pod: shop/web-r2-3}",
                                "{pod: shop/web-r2-4}")),
                row(
                        "a Deployment that is scaled down during its roll-out has one new pod in the end",
                        TWO,
                        List.of(
                                "{at: 5m, apply: unsaid.yaml}",
                                "{at: 5m30s, " + scale.formatted("Deployment", 1) + "}",
                                LOST),
                        running("20m", "{pod: shop/web-r2-1}")),
                row(
                        "a Deployment that is scaled after its roll-out has copies of its new pods",
                        TWO,
                        List.of(
                                "{at: 5m, apply: unsaid.yaml}",
                                "{at: 10m, " + scale.formatted("Deployment", 3) + "}",
                                LOST),
                        running("20m", "{pod: shop/web-r2-1}", "{pod: shop/web-r2-2}", "{pod: shop/web-r2-more3}")),
                row(
                        "a Deployment that is paused during its roll-out stays as it is",
                        TWO,
                        List.of(image, "{at: 19m35s, apply: paused-two.yaml}", LOST),
                        running("20m", "{pod: shop/web-1}", "{pod: shop/web-2}", "{pod: shop/web-r2-1}")),
                row(
                        "a Deployment written with its ReplicaSet and without UIDs is rolled out",
                        OWNED,
                        List.of("{at: 10m, apply: image.yaml}", LOST),
                        running("20m", "{pod: shop/web-r2-1}")),
                row(
                        "a StatefulSet with a partition is scaled up",
                        SET,
                        List.of(
                                "{at: 5m, apply: partition.yaml}",
                                "{at: 10m, " + scale.formatted("StatefulSet", 3) + "}",
                                LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a StatefulSet is scaled up during its update",
                        SET,
                        List.of(
                                "{at: 5m, apply: set-image.yaml}",
                                "{at: 5m10s, " + scale.formatted("StatefulSet", 3) + "}",
                                LOST),
                        running("20m", "{pod: shop/web-0}", "{pod: shop/web-1}", "{pod: shop/web-2}")),
                row(
                        "a StatefulSet whose partition is lowered is updated further",
                        SET,
                        List.of("{at: 5m, apply: partition.yaml}", "{at: 10m, apply: set.yaml}", LOST),
                        running("20m")),
                row(
                        "a StatefulSet waits while its pod terminates on a failed node",
                        SET,
                        List.of("{at: 5m, fail: n2}", "{at: 11m, apply: set.yaml}", LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a StatefulSet waits while the API server refuses its pod",
                        SET,
                        List.of("{at: 5m, newPods: Refused}", "{at: 6m, apply: set.yaml}", LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a StatefulSet whose first pod crashes is not updated",
                        SET,
                        List.of("{at: 5m, crash: shop/web-0}", "{at: 6m, apply: set.yaml}", LOST),
                        running("20m", "{pod: shop/web-0}", "{pod: shop/web-1}")),
                row(
                        "a StatefulSet with Parallel management is updated down to the pod that crashes",
                        PARALLEL,
                        List.of("{at: 5m, crash: shop/web-0}", "{at: 6m, apply: parallel.yaml}", LOST),
                        running("20m")),
                row(
                        "a pod whose node fails while it starts is Ready after the node is back",
                        SET,
                        List.of(
                                "{at: 5m, apply: set-image.yaml}",
                                "{at: 5m10s, fail: [n1, n2]}",
                                "{at: 5m40s, recover: [n1, n2]}",
                                "{at: 10m, apply: set.yaml}",
                                LOST),
                        running("20m")),
                row(
                        "a pod that crashes while it starts is not Ready later",
                        TWO,
                        List.of(
                                "{at: 5m, delete: shop/web-2}",
                                "{at: 5m10s, crash: shop/web-2-new}",
                                "{at: 10m, label: {nodes: n1, remove: disk}}"),
                        "{at: 15m, evictions: [], holds: [{pod: shop/web-1, reason: DisruptionBudget}]}"),
                row(
                        "a drain leaves the pod of a StatefulSet on a failed node",
                        SET,
                        List.of(
                                "{at: 5m, fail: n2}",
                                "{at: 6m, drain: n2}",
                                "{at: 7m, label: {nodes: [n1, n2], remove: disk}}"),
                        running("8m", "{pod: shop/web-0}")),
                row(
                        "a drain evicts a pod that crashes, as enough others are healthy",
                        TWO,
                        List.of("{at: 5m, crash: shop/web-2}", "{at: 6m, drain: n2}", LOST),
                        running("20m", "{pod: shop/web-1}", "{pod: shop/web-2-new, node: n1}")),
                row(
                        "a node that is added again has not failed",
                        WEB,
                        List.of(
                                "{at: 5m, fail: n1}",
                                "{at: 6m, removeNode: n1}",
                                "{at: 7m, apply: n1.yaml}",
                                "{at: 8m, delete: shop/web-1-new}",
                                LOST),
                        running("20m", "{pod: shop/web-1-new2}")),
                row(
                        "a workload that is scaled down while its pods are refused gets no more of them",
                        TWO,
                        List.of(
                                "{at: 5m, newPods: Refused}",
                                "{at: 6m, delete: shop/web-2}",
                                "{at: 7m, " + scale.formatted("Deployment", 1) + "}",
                                "{at: 8m, newPods: Start}",
                                LOST),
                        running("20m", "{pod: shop/web-1}")));
    }

    private static String rollOut(String at, String fields) {
        return "{at: " + at + ", rollOuts: [{" + fields + "}]}";
    }

    /** How the roll-outs stand at a time. */
    static Stream<Arguments> states() {
        String set = "kind: StatefulSet, name: shop/web, ";
        return Stream.of(
                row(
                        "a roll-out is under way until its pods are Ready",
                        TWO,
                        List.of("{at: 10m, apply: unsaid.yaml}"),
                        rollOut("10m10s", "kind: Deployment, name: shop/web, state: UnderWay"),
                        rollOut("15m", "kind: Deployment, name: shop/web, state: Complete")),
                row("no roll-out has begun", TWO, List.of("{at: 10m, apply: unsaid.yaml}"), "{at: 9m, rollOuts: []}"),
                row(
                        "a roll-out is paused",
                        TWO,
                        List.of("{at: 10m, apply: unsaid.yaml}", "{at: 10m5s, apply: paused-two.yaml}"),
                        rollOut("29m", "state: Paused")),
                row(
                        "a roll-out hangs after ten minutes in which a pod has not become Ready",
                        TWO,
                        List.of("{at: 5m, newPods: NotReady}", "{at: 10m, apply: unsaid.yaml}"),
                        rollOut("20m", "state: UnderWay"),
                        rollOut("21m", "state: Hangs, pod: shop/web-r2-1, why: and is not Ready")),
                row(
                        "a pod that was not Ready long before the roll-out counts from its beginning",
                        SET,
                        List.of("{at: 1m, crash: shop/web-0}", "{at: 15m, apply: set.yaml}"),
                        rollOut("24m59s", set + "state: UnderWay"),
                        rollOut("25m", set + "state: Hangs, pod: shop/web-0")),
                row(
                        "the API server refuses a pod",
                        SET,
                        List.of("{at: 5m, newPods: Refused}", "{at: 6m, apply: set.yaml}"),
                        rollOut("7m", set + "state: Hangs, pod: shop/web-1, why: is refused by the API server")),
                row(
                        "a StatefulSet waits for a pod that terminates on a failed node",
                        SET,
                        List.of("{at: 5m, fail: n2}", "{at: 11m, apply: set.yaml}"),
                        rollOut(
                                "11m5s",
                                set + "state: Hangs, pod: shop/web-1,"
                                        + " why: 'it is being deleted, and node n2, which is not Ready'")),
                row(
                        "a StatefulSet ends its roll-out when the node is back",
                        SET,
                        List.of("{at: 5m, fail: n2}", "{at: 11m, apply: set.yaml}", "{at: 15m, recover: n2}"),
                        rollOut("20m", set + "state: Complete")),
                row(
                        "a Deployment does not wait for a pod that terminates on a failed node",
                        TWO,
                        List.of("{at: 5m, fail: n2}", "{at: 11m, apply: unsaid.yaml}"),
                        rollOut("20m", "state: Complete")));
    }

    /** Pods without a node, at the beginning or later. */
    static Stream<Arguments> pending() {
        String waits = "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: big}, spec: {nodeSelector:"
                + " {disk: nvme}, containers: [{name: main}]}}\n";
        String gated = waits.replace("{nodeSelector: {disk: nvme}, ", "{schedulingGates: [{name: g}], ");
        String nvme = "{at: 5m, label: {nodes: n2, set: {disk: nvme}}}";
        return Stream.of(
                row(
                        "a pod waits until a node takes it",
                        waits,
                        List.of(nvme),
                        "{at: 4m, pending: [{pod: shop/big, state: NoNode, why: against its rule NodeAffinity}]}",
                        "{at: 6m, pending: [{pod: shop/big, node: n2, state: Bound}]}"),
                row(
                        "a pod that waited is deleted",
                        waits,
                        List.of("{at: 5m, delete: shop/big}"),
                        "{at: 6m, pending: [{pod: shop/big, state: Gone}]}"),
                row("a gated pod", gated, List.of(nvme), "{at: 6m, pending: [{pod: shop/big, state: Gated}]}"),
                row(
                        "the pod in the place of one whose node is gone",
                        WEB,
                        List.of("{at: 5m, cordon: n2, removeNode: n1}"),
                        "{at: 4m, pending: []}",
                        "{at: 6m, pending: [{pod: shop/web-1-new, state: NoNode, why: 1 cordoned}]}"));
    }

    /** The order in which the pods of a StatefulSet come and go. */
    static Stream<Arguments> statefulSets() {
        String three = "scale: {kind: StatefulSet, namespace: shop, name: web, replicas: 3}";
        String one = "scale: {kind: StatefulSet, namespace: shop, name: web, replicas: 1}";
        String crash = "{at: 5m, crash: shop/web-0}";
        String delete = "{at: 6m, delete: shop/web-1}";
        String repair = "{at: 10m, repair: shop/web-0}";
        String both = "{at: 19m5s, label: {nodes: [n1, n2], remove: disk}}";
        return Stream.of(
                row(
                        "a pod is missing while one before it is not Ready",
                        SET,
                        List.of(crash, delete, LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a pod is created when all pods before it are Ready",
                        SET,
                        List.of(crash, delete, repair, LOST),
                        running("20m", "{pod: shop/web-0}", "{pod: shop/web-1}")),
                row(
                        "a pod is created when those after it are not Ready",
                        SET,
                        List.of("{at: 5m, crash: shop/web-1}", "{at: 6m, delete: shop/web-0}", LOST),
                        running("20m", "{pod: shop/web-0}", "{pod: shop/web-1}")),
                row(
                        "with Parallel management a pod is created at once",
                        PARALLEL,
                        List.of(crash, delete, LOST),
                        running("20m", "{pod: shop/web-0}", "{pod: shop/web-1}")),
                row(
                        "a scale-up creates a pod when the one before it is Ready",
                        SET.replace("replicas: 2", "replicas: 1"),
                        List.of("{at: 19m, " + three + "}", both),
                        running("19m10s", "{pod: shop/web-0}", "{pod: shop/web-1}")),
                row(
                        "a scale-up creates all pods in the end",
                        SET.replace("replicas: 2", "replicas: 1"),
                        List.of("{at: 18m, " + three + "}", both),
                        running("19m10s", "{pod: shop/web-0}", "{pod: shop/web-1}", "{pod: shop/web-2}")),
                row(
                        "with Parallel management a scale-up creates all pods at once",
                        PARALLEL.replace("replicas: 2", "replicas: 1"),
                        List.of("{at: 19m, " + three + "}", both),
                        running("19m10s", "{pod: shop/web-0}", "{pod: shop/web-1}", "{pod: shop/web-2}")),
                row(
                        "the order begins with the first ordinal",
                        SET.replace("replicas: 2", "replicas: 1\n  ordinals: {start: 5}"),
                        List.of("{at: 18m, " + three + "}", both),
                        running("19m10s", "{pod: shop/web-5}", "{pod: shop/web-6}", "{pod: shop/web-7}")),
                row(
                        "a scale-down ends the last pods",
                        SET.replace("replicas: 2", "replicas: 3"),
                        List.of("{at: 10m, " + one + "}", LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a scale-down waits while a pod that stays is not Ready",
                        SET,
                        List.of(crash, "{at: 10m, " + one + "}", LOST),
                        running("20m", "{pod: shop/web-0}", "{pod: shop/web-1}")),
                row(
                        "a scale-down goes on when the pods that stay are Ready",
                        SET,
                        List.of(crash, "{at: 9m, " + one + "}", repair, LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a scale-down ends pods that are not Ready when all before them are",
                        SET.replace("replicas: 2", "replicas: 3"),
                        List.of("{at: 5m, crash: shop/web-1}", "{at: 10m, " + one + "}", LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a scale-down waits at a pod that is not Ready while one before it is not either",
                        SET.replace("replicas: 2", "replicas: 3"),
                        List.of("{at: 5m, crash: [shop/web-1, shop/web-2]}", "{at: 10m, " + one + "}", LOST),
                        running("20m", "{pod: shop/web-0}", "{pod: shop/web-1}", "{pod: shop/web-2}")),
                row(
                        "a scale-down waits for a pod that terminates on a failed node",
                        SET,
                        List.of(
                                "{at: 5m, fail: n2}",
                                "{at: 11m, " + one + "}",
                                "{at: 12m, delete: shop/web-1}",
                                "{at: 13m, recover: n2}",
                                LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "with Parallel management a scale-down does not wait",
                        PARALLEL,
                        List.of(crash, "{at: 10m, " + one + "}", LOST),
                        running("20m", "{pod: shop/web-0}")),
                row(
                        "a pod that was missing is of the newest template",
                        SET,
                        List.of(crash, delete, "{at: 7m, apply: delete.yaml}", repair, LOST),
                        running("20m", "{pod: shop/web-0}")));
    }

    @Test
    void aPodOfAnEarlierReplicaSetHasTheHashOfItsTemplate() throws DumpException {
        assertThat(new TestFolder(folder)
                        .file(
                                "policies.yaml",
                                POLICY.replace(
                                        "podSelector: {}", "podSelector: {matchLabels: {pod-template-hash: '1'}}"))
                        .file("web.yaml", WEB)
                        .file("image.yaml", NEW_IMAGE)
                        .test("steps: [{at: 5m, apply: image.yaml}, {at: 10m, apply: web.yaml}, " + LOST + "]\n"
                                + "expect: " + running("20m", "{pod: shop/web-r3-1}"))
                        .deviations())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource({"podsAndNodes", "rollOuts", "rollOutsThatAreDisturbed", "states", "pending", "statefulSets"})
    void steps(String workload, List<String> steps, List<String> expect) throws DumpException {
        assertThat(new TestFolder(folder)
                        .file("cluster.yaml", String.join("---\n", NODES, workload, BUDGET))
                        .file("policies.yaml", POLICY.replace("minReplicas: 0", "minReplicas: 0, maxUnavailable: 2"))
                        .file("web.yaml", WEB)
                        .file("image.yaml", NEW_IMAGE)
                        .file("unsaid-web.yaml", WEB.replace("  replicas: 1\n", ""))
                        .file("unsaid.yaml", NEW_IMAGE.replace("  replicas: 1\n", ""))
                        .file("paused.yaml", NEW_IMAGE.replace("replicas: 1", "replicas: 1\n  paused: true"))
                        .file("paused-two.yaml", NEW_IMAGE.replace("replicas: 1", "replicas: 2\n  paused: true"))
                        .file("n1.yaml", NODES.substring(0, NODES.indexOf("---")))
                        .file(
                                "parallel.yaml",
                                FREE_SET.replace("replicas: 2", "replicas: 2\n  podManagementPolicy: Parallel"))
                        .file("free.yaml", WEB.replace("{nodeSelector: {disk: ssd}, ", "{"))
                        .file(
                                "unavailable.yaml",
                                NEW_IMAGE.replace(
                                        "replicas: 1",
                                        "replicas: 2\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 50%}}"))
                        .file(
                                "stuck.yaml",
                                NEW_IMAGE.replace(
                                        "replicas: 1", "replicas: 1\n  strategy: {rollingUpdate: {maxSurge: 0}}"))
                        .file(
                                "recreate.yaml",
                                NEW_IMAGE.replace("replicas: 1", "replicas: 2\n  strategy: {type: Recreate}"))
                        .file(
                                "n3.yaml",
                                NODES.substring(0, NODES.indexOf("---")).replace("n1", "n3"))
                        .file("four.yaml", NEW_IMAGE.replace("replicas: 1", "replicas: 4"))
                        .file("same-set.yaml", SET)
                        .file("set.yaml", FREE_SET)
                        .file("set-image.yaml", SET.replace("image: web", "image: web:v2"))
                        .file(
                                "partition.yaml",
                                FREE_SET.replace(
                                        "replicas: 2",
                                        "replicas: 2\n  updateStrategy: {rollingUpdate: {partition: 1}}"))
                        .file(
                                "delete.yaml",
                                FREE_SET.replace("replicas: 2", "replicas: 2\n  updateStrategy: {type: OnDelete}"))
                        .test("steps:\n- " + String.join("\n- ", steps) + "\nend: 30m\nexpect:\n- "
                                + String.join("\n- ", expect))
                        .deviations())
                .allMatch(line -> line.endsWith(": changes nothing at this time")
                        || line.contains(" missing at the end, for example ")
                        || line.contains(" without a node at the end, for example ")
                        || line.contains(": the roll-out of ")
                        || line.contains(" without a node at the beginning, for example "));
    }
}
