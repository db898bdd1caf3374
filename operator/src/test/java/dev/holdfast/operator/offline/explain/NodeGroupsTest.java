package dev.holdfast.operator.offline.explain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.policies.model.NamespacedName;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which nodes would take the pod shop/web on n1, and why the others would not. */
class NodeGroupsTest {
    private static final String FOUR_CORES = "{cpu: '4', memory: 8Gi, pods: '10'}";
    private static final String READY = "{type: Ready, status: 'True'}";

    /**
     * One case.
     *
     * @param objects the cluster, as YAML
     * @param lines what is said about the nodes
     */
    record Row(List<String> objects, List<String> lines) {}

    private static Arguments row(String name, List<String> objects, String... lines) {
        return argumentSet(name, new Row(objects, List.of(lines)));
    }

    private static String node(String name, String spec, String allocatable, String condition) {
        return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {topology.kubernetes.io/zone: zone-"
                + name + "}}, spec: {" + spec + "}, status: {allocatable: " + allocatable + ", conditions: ["
                + condition + "]}}";
    }

    private static String node(String name, String spec) {
        return node(name, spec, FOUR_CORES, READY);
    }

    private static String node(String name) {
        return node(name, "");
    }

    private static String pod(String name, String node, String spec, String container) {
        return "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name + "}, spec: {nodeName: " + node
                + ", " + spec + " containers: [{name: main, image: web, " + container + "}]}}";
    }

    private static String pod(String name, String node, String container) {
        return pod(name, node, "", container);
    }

    private static String requests(String amounts) {
        return "resources: {requests: {" + amounts + "}}";
    }

    private static String hostPort(int port) {
        return "ports: [{containerPort: 80, hostPort: " + port + "}]";
    }

    static Stream<Arguments> resources() {
        return Stream.of(
                row(
                        "a pod that requests 3 of 4 cores would fit on its own node, since it leaves it first",
                        List.of(node("n1"), pod("web", "n1", requests("cpu: '3'"))),
                        "1 of 1 node would take the pod: n1 (its node now)"),
                row(
                        "on a node with 4 cores, of which 3500m are requested, a pod that requests 600m has no room",
                        List.of(
                                node("n1"),
                                node("n2"),
                                pod("web", "n1", requests("cpu: 600m")),
                                pod("other", "n2", requests("cpu: 3500m"))),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (short of cpu: the pod requests 600m, at most 500m is free): n2"),
                row(
                        "of two nodes with 200m and 500m free, the 500m are named",
                        List.of(
                                node("n1"),
                                node("n2"),
                                node("n3"),
                                pod("web", "n1", requests("cpu: '2'")),
                                pod("big", "n2", requests("cpu: 3800m")),
                                pod("small", "n3", requests("cpu: 3500m"))),
                        "1 of 3 nodes would take the pod: n1 (its node now)",
                        "  2 would not (short of cpu: the pod requests 2, at most 500m is free): n2, n3"),
                row(
                        "of 8192Mi of memory, 8191.5Mi are requested: 0Mi are free, and half a Mi requested is 1Mi",
                        List.of(
                                node("n1"),
                                node("n2"),
                                pod("web", "n1", requests("memory: 524289")),
                                pod("other", "n2", requests("memory: 8589410304"))),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (short of memory: the pod requests 1Mi, at most 0Mi is free): n2"),
                row(
                        "a node without GPUs has 0 of them free",
                        List.of(node("n1"), pod("web", "n1", requests("example.com/gpu: '2'"))),
                        "0 of 1 node would take the pod",
                        "  1 would not (short of example.com/gpu: the pod requests 2, at most 0 is free): n1 (its node"
                                + " now)"),
                row(
                        "a node that is overcommitted takes a pod without requests",
                        List.of(
                                node("n1"),
                                node("n2"),
                                pod("web", "n1", "command: [web]"),
                                pod("other", "n2", requests("cpu: '5'"))),
                        "2 of 2 nodes would take the pod: n1 (its node now), n2"),
                row(
                        "a node whose one pod is the pod itself has a place for it, and another one has none",
                        List.of(
                                node("n1", "", "{pods: '1'}", READY),
                                node("n2", "", "{pods: '1'}", READY),
                                pod("web", "n1", ""),
                                pod("other", "n2", "")),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (short of pods: the pod requests 1, at most 0 is free): n2"),
                row(
                        "a host port is in use by another pod, and not by the pod itself",
                        List.of(
                                node("n1"),
                                node("n2"),
                                pod("web", "n1", hostPort(8080)),
                                pod("other", "n2", hostPort(8080))),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (with a host port of the pod in use): n2"));
    }

    static Stream<Arguments> nodes() {
        return Stream.of(
                row(
                        "a node is not Ready",
                        List.of(
                                node("n1"),
                                node("n2", "", FOUR_CORES, "{type: Ready, status: 'False'}"),
                                pod("web", "n1", "")),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (not Ready): n2"),
                row(
                        "nodes that are removed, drained, about to be maintained, or perhaps one of these",
                        List.of(
                                node("n1", "", FOUR_CORES, READY + ", {type: DrainInProgress, status: 'True'}"),
                                node("n2", "taints: [{key: karpenter.sh/disrupted, effect: NoSchedule}]"),
                                node("n3", "", FOUR_CORES, READY + ", {type: MaintenancePlanned, status: 'True'}"),
                                node("n4", "", FOUR_CORES, READY + ", {type: Drained, status: Unknown}"),
                                node("n5", "", FOUR_CORES, READY + ", {type: Drained, status: 'False'}"),
                                pod("web", "n1", "tolerations: [{operator: Exists}],", "")),
                        "1 of 5 nodes would take the pod: n5",
                        "  1 would not (about to be removed): n2",
                        "  1 would not (being shut down, drained or in maintenance): n1 (its node now)",
                        "  1 would not (with a life-cycle condition of unknown status): n4",
                        "  1 would not (with maintenance planned): n3"),
                row(
                        "the scheduler places a waiting pod on a node whose maintenance is planned",
                        List.of(
                                node("n1", "", FOUR_CORES, READY + ", {type: MaintenancePlanned, status: 'True'}"),
                                "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web}, spec: {containers:"
                                        + " [{name: main, image: web}]}}"),
                        "1 of 1 node would take the pod: n1"),
                row(
                        "a cordoned node has the taint of a cordon too",
                        List.of(
                                node("n1"),
                                node(
                                        "n2",
                                        "unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect:"
                                                + " NoSchedule}]"),
                                pod("web", "n1", "")),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (cordoned): n2"),
                row(
                        "nodes with different taints are different groups",
                        List.of(
                                node("n1"),
                                node("n2", "taints: [{key: gpu, value: 'true', effect: NoSchedule}]"),
                                node("n3", "taints: [{key: node-role, effect: NoExecute}]"),
                                pod("web", "n1", "")),
                        "1 of 3 nodes would take the pod: n1 (its node now)",
                        "  1 would not (tainted gpu=true:NoSchedule): n2",
                        "  1 would not (tainted node-role:NoExecute): n3"),
                row(
                        "many nodes whose taints differ in the value alone are one group, with an example",
                        List.of(
                                node("n1"),
                                node("n2", "taints: [{key: team, value: a, effect: NoSchedule}]"),
                                node("n3", "taints: [{key: team, value: b, effect: NoSchedule}]"),
                                node("n4", "taints: [{key: team, value: c, effect: NoSchedule}]"),
                                node("n5", "taints: [{key: team, value: d, effect: NoSchedule}]"),
                                pod("web", "n1", "")),
                        "1 of 5 nodes would take the pod: n1 (its node now)",
                        "  4 would not (tainted team, for example n2: team=a:NoSchedule): n2, n3, n4, n5"),
                row(
                        "a pod may tolerate a cordon and a taint",
                        List.of(
                                node("n1"),
                                node("n2", "unschedulable: true, taints: [{key: gpu, effect: NoSchedule}]"),
                                pod("web", "n1", "tolerations: [{operator: Exists}],", "")),
                        "2 of 2 nodes would take the pod: n1 (its node now), n2"),
                row(
                        "of a node that is tainted and short of cpu, the taint is named",
                        List.of(
                                node("n1"),
                                node("n2", "taints: [{key: gpu, effect: NoSchedule}]", "{cpu: '1', pods: '10'}", READY),
                                pod("web", "n1", requests("cpu: '2'"))),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (tainted gpu:NoSchedule): n2"),
                row(
                        "the node of the pod breaks its rule",
                        List.of(
                                node("n1"),
                                node("n2"),
                                pod("web", "n1", "nodeSelector: {topology.kubernetes.io/zone: zone-n2},", "")),
                        "1 of 2 nodes would take the pod: n2",
                        "  1 would not (its rule NodeAffinity: topology.kubernetes.io/zone=zone-n2: it has"
                                + " topology.kubernetes.io/zone=zone-n1): n1 (its node now)"),
                row(
                        "a rule that no node can match",
                        List.of(node("n1"), node("n2"), pending("web", "", requires("cores", "Gt", "7.5"))),
                        "0 of 2 nodes would take the pod",
                        "  2 would not (its rule NodeAffinity: cores Gt [7.5]: no node can match it: 7.5 is no"
                                + " integer): n1, n2"),
                row(
                        "of four values on the nodes, one is an example",
                        List.of(
                                node("n1"),
                                node("n2"),
                                node("n3"),
                                node("n4"),
                                pending("web", "", requires("topology.kubernetes.io/zone", "In", "a"))),
                        "0 of 4 nodes would take the pod",
                        "  4 would not (its rule NodeAffinity: topology.kubernetes.io/zone In [a], for example n1: it"
                                + " has topology.kubernetes.io/zone=zone-n1): n1, n2, n3, n4"),
                row(
                        "a pod keeps apart from others, and one of them is on a node",
                        List.of(
                                node("n1"),
                                node("n2"),
                                pending("web", "", apart("role", "db")),
                                runs("db-1", "n1", "role", "db", "")),
                        "1 of 2 nodes would take the pod: n2",
                        "  1 would not (its rule PodAntiAffinity: apart from (role=db) by topology.kubernetes.io/zone:"
                                + " topology.kubernetes.io/zone=zone-n1 has shop/db-1): n1"));
    }

    static Stream<Arguments> otherPods() {
        return Stream.of(
                row(
                        "the anti-affinity of one pod excludes it from each node",
                        List.of(
                                node("n1"),
                                node("n2"),
                                pending("web", "role: gpu", ""),
                                runs("ui-1", "n1", "role", "ui", apart("role", "gpu")),
                                runs("ui-2", "n2", "role", "ui", apart("role", "gpu"))),
                        "0 of 2 nodes would take the pod",
                        "  1 would not (excluded by other pods' anti-affinity: shop/ui-1 is to be apart from"
                                + " (role=gpu) by topology.kubernetes.io/zone): n1",
                        "  1 would not (excluded by other pods' anti-affinity: shop/ui-2 is to be apart from"
                                + " (role=gpu) by topology.kubernetes.io/zone): n2"),
                row(
                        "of five pods by one rule, three are named, and a sixth has another rule",
                        List.of(
                                node("n1"),
                                pending("web", "role: gpu", ""),
                                runs("ui-1", "n1", "role", "ui", apart("role", "gpu")),
                                runs("ui-2", "n1", "role", "ui", apart("role", "gpu")),
                                runs("ui-3", "n1", "role", "ui", apart("role", "gpu")),
                                runs("ui-4", "n1", "role", "ui", apart("role", "gpu")),
                                runs("ui-5", "n1", "role", "ui", apart("role", "gpu")),
                                runs("x-1", "n1", "role", "ui", apart("app", "web"))),
                        "0 of 1 node would take the pod",
                        "  1 would not (excluded by other pods' anti-affinity: shop/ui-1, shop/ui-2, shop/ui-3 and 2"
                                + " more are to be apart from (role=gpu) by topology.kubernetes.io/zone; another pod"
                                + " excludes it by another rule): n1"));
    }

    private static String pending(String name, String label, String spec) {
        return "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name + ", labels: {app: web"
                + (label.isEmpty() ? "" : ", " + label) + "}}, spec: {" + spec
                + "containers: [{name: main, image: web}]}}";
    }

    private static String runs(String name, String node, String key, String value, String spec) {
        return "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name + ", labels: {" + key + ": "
                + value + "}}, spec: {nodeName: " + node + ", " + spec
                + "containers: [{name: main, image: web}]}, status: {phase: Running}}";
    }

    private static String requires(String key, String operator, String value) {
        return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                + " [{matchExpressions: [{key: " + key + ", operator: " + operator + ", values: ['" + value
                + "']}]}]}}},";
    }

    private static String apart(String key, String value) {
        return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector:"
                + " {matchLabels: {" + key + ": " + value + "}}, topologyKey: topology.kubernetes.io/zone}]}},";
    }

    private static final String CLAIMING = "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}],";
    private static final String CLAIM =
            "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {namespace: shop, name: data}, spec: {volumeName:"
                    + " pv-1}, status: {phase: Bound}}";

    static Stream<Arguments> volumes() {
        return Stream.of(
                row(
                        "a volume can be used in one zone only",
                        List.of(
                                node("n1"),
                                node("n2"),
                                pod("web", "n1", CLAIMING, ""),
                                CLAIM,
                                "{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv-1, labels:"
                                        + " {topology.kubernetes.io/zone: zone-n1}}}"),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (where a volume of the pod cannot be used: claim shop/data is bound to volume"
                            + " pv-1, which can only be used on nodes with topology.kubernetes.io/zone In [zone-n1]):"
                            + " n2"),
                row(
                        "claims were not read",
                        List.of(node("n1"), node("n2"), pod("web", "n1", CLAIMING, "")),
                        "2 of 2 nodes would take the pod: n1 (its node now), n2",
                        "  A volume does not count: it is unknown on which nodes the volume of claim shop/data can be"
                                + " used: claims, volumes or storage classes were not read: give pvc,pv,storageclasses"
                                + " too"),
                row(
                        "a claim is bound to a volume that does not exist",
                        List.of(
                                node("n1"),
                                pod("web", "n1", CLAIMING, ""),
                                CLAIM,
                                "{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv-2}}"),
                        "1 of 1 node would take the pod: n1 (its node now)",
                        "  A volume does not count: it is unknown on which nodes the volume of claim shop/data can be"
                                + " used: it is bound to volume pv-1, which does not exist"));
    }

    private static String csiVolume(String name) {
        return "{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name
                + "}, spec: {csi: {driver: disk.example.com, volumeHandle: " + name + "}}}";
    }

    private static String csiNode(String name, String driver, int limit) {
        return "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: " + name + "}, spec: {drivers: [{name: "
                + driver + ", nodeID: " + name + ", allocatable: {count: " + limit + "}}]}}";
    }

    /** Pod web with volume pv-1 on n1, pod other with volume pv-2 on n2, and some CSINodes. */
    private static List<String> attached(String... csiNodes) {
        return Stream.concat(
                        Stream.of(
                                node("n1"),
                                node("n2"),
                                pod("web", "n1", CLAIMING, ""),
                                CLAIM,
                                csiVolume("pv-1"),
                                pod("other", "n2", CLAIMING.replace("claimName: data", "claimName: more"), ""),
                                CLAIM.replace("name: data", "name: more").replace("pv-1", "pv-2"),
                                csiVolume("pv-2")),
                        Stream.of(csiNodes))
                .toList();
    }

    static Stream<Arguments> attachLimits() {
        String driver = "disk.example.com";
        return Stream.of(
                row(
                        "a second volume is beyond a limit of 1, and its own volume is not",
                        attached(csiNode("n1", driver, 1), csiNode("n2", driver, 1)),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (at the limit of attached volumes): n2"),
                row(
                        "a second volume is within a limit of 2",
                        attached(csiNode("n1", driver, 1), csiNode("n2", driver, 2)),
                        "2 of 2 nodes would take the pod: n1 (its node now), n2"),
                row(
                        "a node does not have the driver of the volume",
                        attached(csiNode("n1", driver, 1), csiNode("n2", "other.example.com", 9)),
                        "1 of 2 nodes would take the pod: n1 (its node now)",
                        "  1 would not (without the CSI driver of a volume): n2"),
                row(
                        "without CSINodes in the input, limits do not count",
                        attached(),
                        "2 of 2 nodes would take the pod: n1 (its node now), n2"));
    }

    @ParameterizedTest
    @MethodSource({"resources", "nodes", "volumes", "attachLimits", "otherPods"})
    void theNodesAreGroupedByTheFirstReason(Row row) throws DumpException {
        String yaml = String.join("\n---\n", row.objects());
        Dump dump = new DumpReader(_ -> {})
                .read(List.of(new DumpFile("cluster.yaml", () -> new ByteArrayInputStream(yaml.getBytes(UTF_8)))));
        CheckedCluster cluster = CheckedCluster.of(new ReadCluster(dump, List.of(), List.of(), List.of()), Set.of());

        List<String> lines = new PodExplainer(cluster)
                .explain(new NamespacedName("shop", "web"))
                .orElseThrow()
                .lines(LineWidth.UNLIMITED);

        assertThat(lines.stream().dropWhile(line -> !line.contains(" would take the pod")))
                .isEqualTo(row.lines());
    }
}
