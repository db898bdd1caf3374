package dev.holdfast.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Needs;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeLife;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.PodLife;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CoreFactsTest {
    private final KubernetesSerialization slim = SlimClient.serialization();
    private final CoreFacts facts = new CoreFacts();

    @Test
    void aPodWithEverything() {
        Pod pod = facts.pod(read(SlimPod.class, """
            apiVersion: v1
            kind: Pod
            metadata:
              namespace: shop
              name: web-1
              uid: u-1
              resourceVersion: "4711"
              creationTimestamp: "2026-11-20T12:00:00Z"
              deletionTimestamp: "2026-11-20T12:30:00Z"
              labels: {app: web, tier: ""}
              ownerReferences:
              - {apiVersion: v1, kind: ConfigMap, name: c, uid: o-0}
              - {apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: o-1, controller: true}
              managedFields: [{manager: kubelet, fieldsV1: {"f:status": {}}}]
            spec:
              nodeName: n1
              priority: 7
              restartPolicy: OnFailure
              containers: [{name: c, image: i}]
              nodeSelector: {disk: ssd}
              affinity:
                nodeAffinity:
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - {weight: 1, preference: {matchExpressions: [{key: a, operator: Exists}]}}
                  requiredDuringSchedulingIgnoredDuringExecution:
                    nodeSelectorTerms:
                    - {}
                    - matchExpressions: [{key: cpu, operator: Gt, values: ["4"]}]
                      matchFields: [{key: metadata.name, operator: In, values: [n1]}]
                podAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - {labelSelector: {}, namespaceSelector: {}, topologyKey: zone, matchLabelKeys: [hash]}
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - {namespaces: [a, b], topologyKey: host, mismatchLabelKeys: [tenant]}
              topologySpreadConstraints:
              - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}
              - {maxSkew: 2, topologyKey: host, whenUnsatisfiable: DoNotSchedule}
              - maxSkew: 1
                topologyKey: zone
                whenUnsatisfiable: DoNotSchedule
                labelSelector: {matchLabels: {app: web}, matchExpressions: [{key: x, operator: NotIn, values: [y]}]}
                minDomains: 3
                nodeAffinityPolicy: Ignore
                nodeTaintsPolicy: Honor
                matchLabelKeys: [hash]
              tolerations:
              - {operator: Exists}
              - {key: k, operator: Equal, value: v, effect: NoExecute, tolerationSeconds: 300}
            status:
              phase: Running
              conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "True"}]
            """));

        assertThat(pod)
                .isEqualTo(new Pod(
                        "u-1",
                        new NamespacedName("shop", "web-1"),
                        4711,
                        Labels.of("app", "web", "tier", ""),
                        Optional.of("n1"),
                        new Scheduling(
                                Labels.of("disk", "ssd"),
                                Optional.of(new NodeSelector(List.of(
                                        new NodeSelectorTerm(List.of(), List.of()),
                                        new NodeSelectorTerm(
                                                List.of(new Requirement("cpu", "Gt", List.of("4"))),
                                                List.of(new Requirement("metadata.name", "In", List.of("n1"))))))),
                                List.of(new PodAffinityTerm(
                                        Optional.of(LabelSelector.everything()),
                                        List.of(),
                                        Optional.of(LabelSelector.everything()),
                                        "zone",
                                        List.of("hash"),
                                        List.of())),
                                List.of(new PodAffinityTerm(
                                        Optional.empty(),
                                        List.of("a", "b"),
                                        Optional.empty(),
                                        "host",
                                        List.of(),
                                        List.of("tenant"))),
                                List.of(
                                        new TopologySpreadConstraint(
                                                2,
                                                "host",
                                                Optional.empty(),
                                                1,
                                                NodeInclusionPolicy.HONOR,
                                                NodeInclusionPolicy.IGNORE,
                                                List.of()),
                                        new TopologySpreadConstraint(
                                                1,
                                                "zone",
                                                Optional.of(new LabelSelector(
                                                        Labels.of("app", "web"),
                                                        List.of(new Requirement("x", "NotIn", List.of("y"))))),
                                                3,
                                                NodeInclusionPolicy.IGNORE,
                                                NodeInclusionPolicy.HONOR,
                                                List.of("hash"))),
                                List.of(
                                        new Toleration("", "Exists", "", ""),
                                        new Toleration("k", "Equal", "v", "NoExecute"))),
                        Needs.none(),
                        new PodLife(
                                Phase.RUNNING,
                                true,
                                Instant.parse("2026-11-20T12:00:00Z"),
                                Optional.of(Instant.parse("2026-11-20T12:30:00Z"))),
                        new Protection(
                                Optional.of(new Controller("ReplicaSet", "web", "o-1")),
                                7,
                                RestartPolicy.ON_FAILURE,
                                false,
                                false,
                                false)));
    }

    @Test
    void aPodWithNothing() {
        Pod pod = facts.pod(pod("", "spec: {nodeName: \"\"}"));

        assertThat(pod)
                .isEqualTo(new Pod(
                        "u-1",
                        new NamespacedName("shop", "web-1"),
                        1,
                        Labels.none(),
                        Optional.empty(),
                        Scheduling.anywhere(),
                        Needs.none(),
                        new PodLife(Phase.UNKNOWN, false, Instant.EPOCH, Optional.empty()),
                        new Protection(Optional.empty(), 0, RestartPolicy.ALWAYS, false, false, false)));
    }

    @Test
    void requiredNodeAffinityWithoutTermsIsNotNoNodeAffinity() {
        Pod pod = facts.pod(pod("", """
            spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}}}\
            """));

        assertThat(pod.scheduling().nodeAffinity()).contains(new NodeSelector(List.of()));
    }

    static Stream<Arguments> protections() {
        return Stream.of(
                argumentSet("a plain pod", "", "spec: {}", false, false),
                argumentSet(
                        "the image of a static pod",
                        "annotations: {kubernetes.io/config.mirror: abc}",
                        "spec: {}",
                        true,
                        false),
                argumentSet(
                        "a pod of a pod group by its spec",
                        "",
                        "spec: {schedulingGroup: {podGroupName: g}}",
                        false,
                        true),
                argumentSet(
                        "a pod of the scheduler plugin's pod group",
                        "labels: {scheduling.x-k8s.io/pod-group: g}",
                        "spec: {}",
                        false,
                        true),
                argumentSet(
                        "a pod of a Kueue queue", "labels: {kueue.x-k8s.io/queue-name: q}", "spec: {}", false, true),
                argumentSet(
                        "a pod that Kueue manages",
                        "labels: {kueue.x-k8s.io/managed: \"true\"}",
                        "spec: {}",
                        false,
                        true));
    }

    @ParameterizedTest
    @MethodSource("protections")
    void marksOfPodsThatOthersLookAfter(String metadata, String spec, boolean mirror, boolean gangMember) {
        Protection protection = facts.pod(pod(metadata, spec)).protection();

        assertThat(protection)
                .isEqualTo(new Protection(Optional.empty(), 0, RestartPolicy.ALWAYS, mirror, gangMember, false));
    }

    @Test
    void podsOfOneTemplateShareWhatIsEqual() {
        String spec = "spec: {nodeSelector: {disk: ssd}, nodeName: node-with-a-name}";
        Pod one = facts.pod(pod("labels: {app: web}", spec));
        Pod other = facts.pod(pod("labels: {app: web}", spec));

        assertThat(other.scheduling()).isSameAs(one.scheduling());
        assertThat(other.labels()).isSameAs(one.labels());
        assertThat(other.nodeName().orElseThrow()).isSameAs(one.nodeName().orElseThrow());
    }

    @Test
    void aNode() {
        Node node = facts.node(read(SlimNode.class, """
            apiVersion: v1
            kind: Node
            metadata: {name: n1, uid: u-1, resourceVersion: "12", labels: {zone: a}}
            spec:
              unschedulable: true
              taints: [{key: k, value: v, effect: NoSchedule}, {key: l, effect: NoExecute, timeAdded: "2026-11-20T12:00:00Z"}]
            status:
              conditions: [{type: Ready, status: "Unknown"}, {type: MemoryPressure, status: "True"}]
              images: [{names: [a], sizeBytes: 1}]
            """));

        assertThat(node)
                .isEqualTo(new Node(
                        "n1",
                        "u-1",
                        12,
                        Labels.of("zone", "a"),
                        List.of(new Taint("k", "v", "NoSchedule"), new Taint("l", "", "NoExecute")),
                        true,
                        new NodeLife(false, Optional.empty(), Instant.EPOCH),
                        Resources.none()));
    }

    @Test
    void aNamespace() {
        Namespace namespace = facts.namespace(read(
                SlimNamespace.class,
                "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, resourceVersion: \"3\", labels: {team: a}}"));

        assertThat(namespace).isEqualTo(new Namespace("shop", 3, Labels.of("team", "a")));
    }

    static Stream<Arguments> budgets() {
        return Stream.of(
                argumentSet(
                        "as its controller last said",
                        "spec: {selector: {matchLabels: {app: web}}}\n"
                                + "status: {observedGeneration: 2, disruptionsAllowed: 3}",
                        Optional.of(new LabelSelector(Labels.of("app", "web"), List.of())),
                        3),
                argumentSet(
                        "edited, and its controller has not looked since: none allowed",
                        "spec: {selector: {}}\nstatus: {observedGeneration: 1, disruptionsAllowed: 3}",
                        Optional.of(LabelSelector.everything()),
                        0),
                argumentSet("new and without a selector", "spec: {minAvailable: 1}", Optional.empty(), 0));
    }

    @ParameterizedTest
    @MethodSource("budgets")
    void aBudget(String yaml, Optional<LabelSelector> selector, int allowed) {
        DisruptionBudget budget = facts.budget(read(
                SlimBudget.class,
                "apiVersion: policy/v1\nkind: PodDisruptionBudget\n"
                        + "metadata: {namespace: shop, name: web, uid: u-1, resourceVersion: \"1\", generation: 2}\n"
                        + yaml));

        assertThat(budget).isEqualTo(new DisruptionBudget("u-1", new NamespacedName("shop", "web"), selector, allowed));
    }

    @Test
    void ownersSayWhoControlsThemAndHowManyPodsTheyWant() {
        String metadata = "metadata: {namespace: shop, name: web, uid: u-1, resourceVersion: \"1\", "
                + "ownerReferences: [{kind: Deployment, name: d, uid: u-0, controller: true}]}\n";
        NamespacedName name = new NamespacedName("shop", "web");
        Optional<Controller> controller = Optional.of(new Controller("Deployment", "d", "u-0"));

        assertThat(facts.owner(read(SlimOwner.ReplicaSet.class, metadata + "spec: {replicas: 3}")))
                .isEqualTo(new Owner("u-1", "ReplicaSet", name, controller, OptionalInt.of(3)));
        assertThat(facts.owner(read(SlimOwner.StatefulSet.class, metadata + "spec: {replicas: 0}")))
                .isEqualTo(new Owner("u-1", "StatefulSet", name, controller, OptionalInt.of(0)));
        assertThat(facts.owner(read(SlimOwner.Job.class, metadata + "spec: {parallelism: 3}")))
                .isEqualTo(new Owner("u-1", "Job", name, controller, OptionalInt.empty()));
    }

    private SlimPod pod(String metadata, String rest) {
        return read(
                SlimPod.class,
                "metadata:\n  namespace: shop\n  name: web-1\n  uid: u-1\n  resourceVersion: \"1\"\n"
                        + (metadata.isEmpty() ? "" : "  " + metadata + "\n")
                        + rest);
    }

    private <T extends SlimObject> T read(Class<T> type, String yaml) {
        return slim.unmarshal(yaml, type);
    }
}
