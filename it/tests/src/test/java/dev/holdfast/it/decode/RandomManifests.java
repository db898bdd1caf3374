package dev.holdfast.it.decode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Random manifests of all kinds that Holdfast reads, as people write them: each leaves out much of what an API server
 * adds. The same seed gives the same manifests.
 */
final class RandomManifests {
    /** The namespace whose pods get the defaults of a LimitRange. */
    static final String LIMITED = "limited";

    static final String PLAIN = "plain";

    private static final List<String> ZONES = List.of("a", "b", "c");

    private final Random random;

    RandomManifests(Random random) {
        this.random = random;
    }

    /** {@return the objects that must be there before the others, in this order} */
    static List<String> first() {
        return List.of(
                "{apiVersion: v1, kind: Namespace, metadata: {name: " + PLAIN + "}}",
                "{apiVersion: v1, kind: Namespace, metadata: {name: " + LIMITED + "}}",
                "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000}",
                "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: usual}, value: 10,"
                        + " globalDefault: true}",
                "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: safe}, handler: safe, overhead:"
                        + " {podFixed: {cpu: 250m, memory: 64Mi}}, scheduling: {nodeSelector: {runtime: safe},"
                        + " tolerations: [{key: safe, operator: Exists}]}}",
                "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: usual, annotations:"
                        + " {storageclass.kubernetes.io/is-default-class: \"true\"}}, provisioner: p}",
                "{apiVersion: v1, kind: LimitRange, metadata: {name: usual, namespace: " + LIMITED + "}, spec: {limits:"
                        + " [{type: Container, default: {cpu: 2}, defaultRequest: {cpu: 1, memory: 64Mi}}]}}");
    }

    /** {@return this many manifests of each kind, by kind, in the order in which they must be created} */
    Map<String, List<String>> ofEachKind(int count) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("Namespace", many(count, this::namespace));
        all.put("Node", many(count, this::node));
        all.put("StorageClass", many(count, this::storageClass));
        all.put("CSINode", many(count, this::csiNode));
        all.put("PersistentVolume", many(count, this::volume));
        all.put("PersistentVolumeClaim", many(count, this::claim));
        all.put("PodDisruptionBudget", many(count, this::budget));
        all.put("Deployment", many(count, this::deployment));
        all.put("ReplicaSet", many(count, this::replicaSet));
        all.put("StatefulSet", many(count, this::statefulSet));
        all.put("Job", many(count, this::job));
        all.put("Pod", many(count, this::pod));
        // After the pods, which they would refuse.
        all.put("LimitRange", many(count, this::limitRange));
        all.put("ResourceQuota", many(count, this::quota));
        return all;
    }

    private static List<String> many(int count, IntFunction<String> manifest) {
        return IntStream.range(0, count).mapToObj(manifest).toList();
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private String oneOf(String... values) {
        return values[random.nextInt(values.length)];
    }

    /** {@return a field, which is there with this chance: {@code name: value}} */
    private String maybe(int percent, String field) {
        return chance(percent) ? field : "";
    }

    private static String fields(String... fields) {
        return "{"
                + String.join(
                        ", ",
                        List.of(fields).stream()
                                .filter(field -> !field.isEmpty())
                                .toList()) + "}";
    }

    private static String object(String apiVersion, String kind, String metadata, String... rest) {
        List<String> all =
                new ArrayList<>(List.of("apiVersion: " + apiVersion, "kind: " + kind, "metadata: " + metadata));
        all.addAll(List.of(rest));
        return fields(all.toArray(String[]::new));
    }

    private static String named(String name, String... more) {
        List<String> all = new ArrayList<>(List.of("name: " + name));
        all.addAll(List.of(more));
        return fields(all.toArray(String[]::new));
    }

    private String labels() {
        return "labels: "
                + fields(
                        maybe(80, "app: " + oneOf("web", "db")),
                        maybe(40, "tier: " + oneOf("one", "two")),
                        maybe(30, "hash: h" + random.nextInt(3)),
                        maybe(15, "topology.kubernetes.io/zone: written"));
    }

    private String namespace(int i) {
        return object(
                "v1",
                "Namespace",
                named(
                        "n" + i,
                        maybe(
                                60,
                                "labels: "
                                        + fields(
                                                maybe(50, "team: " + oneOf("red", "blue")),
                                                maybe(20, "kubernetes.io/metadata.name: other")))));
    }

    private String node(int i) {
        String room = fields("cpu: " + (1 + random.nextInt(8)), "memory: " + oneOf("4Gi", "1.5G"), "pods: 110");
        return object(
                "v1",
                "Node",
                named(
                        "node-" + i,
                        "labels: "
                                + fields(
                                        maybe(80, "kubernetes.io/hostname: node-" + i),
                                        maybe(60, "topology.kubernetes.io/zone: " + ZONES.get(random.nextInt(3))),
                                        maybe(30, "topology.kubernetes.io/region: r"),
                                        maybe(30, "disk: " + oneOf("ssd", "\"\"")))),
                "spec: "
                        + fields(
                                maybe(20, "unschedulable: true"),
                                maybe(
                                        30,
                                        "taints: [{key: gpu, effect: " + oneOf("NoSchedule", "NoExecute")
                                                + maybe(50, ", value: x") + "}]")),
                maybe(
                        80,
                        "status: "
                                + fields(
                                        maybe(70, "capacity: " + room),
                                        maybe(50, "allocatable: " + room),
                                        maybe(70, "conditions: [{type: Ready, status: \"True\"}]"))));
    }

    private String storageClass(int i) {
        return object(
                "storage.k8s.io/v1",
                "StorageClass",
                named("class-" + i),
                "provisioner: " + oneOf("p", "kubernetes.io/no-provisioner"),
                maybe(60, "volumeBindingMode: " + oneOf("Immediate", "WaitForFirstConsumer")),
                maybe(
                        40,
                        "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: ["
                                + ZONES.get(random.nextInt(3)) + "]}]}]"));
    }

    private String csiNode(int i) {
        return object(
                "storage.k8s.io/v1",
                "CSINode",
                named("node-" + i),
                "spec: {drivers: ["
                        + maybe(
                                80,
                                "{name: p, nodeID: n" + i + maybe(50, ", topologyKeys: [zone]")
                                        + maybe(60, ", allocatable: {count: " + random.nextInt(9) + "}") + "}")
                        + "]}");
    }

    private String volume(int i) {
        return object(
                "v1",
                "PersistentVolume",
                named("volume-" + i, maybe(30, "labels: {topology.kubernetes.io/zone: " + oneOf("a", "a__b") + "}")),
                "spec: "
                        + fields(
                                "capacity: {storage: 1Gi}",
                                "accessModes: [ReadWriteOnce]",
                                chance(70) ? "csi: {driver: p, volumeHandle: h" + i + "}" : "hostPath: {path: /data}",
                                maybe(50, "storageClassName: class-0"),
                                maybe(
                                        40,
                                        "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone,"
                                                + " operator: In, values: [a, b]}]}]}}")));
    }

    private String claim(int i) {
        return object(
                "v1",
                "PersistentVolumeClaim",
                named(
                        "claim-" + i,
                        "namespace: " + PLAIN,
                        maybe(15, "annotations: {volume.beta.kubernetes.io/storage-class: class-1}")),
                "spec: "
                        + fields(
                                "accessModes: [ReadWriteOnce]",
                                "resources: {requests: {storage: 1Gi}}",
                                maybe(50, "storageClassName: " + oneOf("class-0", "\"\"")),
                                maybe(30, "volumeName: volume-" + i)));
    }

    private String budget(int i) {
        return object(
                "policy/v1",
                "PodDisruptionBudget",
                named("budget-" + i, "namespace: " + PLAIN),
                "spec: "
                        + fields(
                                chance(80)
                                        ? oneOf("minAvailable", "maxUnavailable") + ": "
                                                + oneOf("1", "0", "\"50%\"", "\"100%\"")
                                        : "",
                                maybe(80, "selector: " + selector()),
                                maybe(40, "unhealthyPodEvictionPolicy: " + oneOf("AlwaysAllow", "IfHealthyBudget"))));
    }

    private String selector() {
        return chance(20)
                ? "{}"
                : fields(
                        maybe(70, "matchLabels: {app: " + oneOf("web", "db") + "}"),
                        maybe(
                                30,
                                "matchExpressions: [{key: tier, operator: " + oneOf("Exists", "DoesNotExist") + "}]"));
    }

    private String workload(String kind, int i, String... spec) {
        List<String> all = new ArrayList<>(List.of(spec));
        if (!kind.equals("Job")) {
            all.add("selector: {matchLabels: {app: web}}");
            all.add(maybe(60, "replicas: " + random.nextInt(4)));
        }
        String restart = kind.equals("Job") ? "restartPolicy: " + oneOf("Never", "OnFailure") : "";
        all.add("template: {metadata: {labels: {app: web, hash: h}}, spec: " + podSpec(restart, "web") + "}");
        return object(
                kind.equals("Job") ? "batch/v1" : "apps/v1",
                kind,
                named("workload-" + i, "namespace: " + PLAIN),
                "spec: " + fields(all.toArray(String[]::new)));
    }

    private String deployment(int i) {
        return workload(
                "Deployment",
                i,
                maybe(20, "strategy: {type: Recreate}"),
                maybe(30, "minReadySeconds: 5"),
                maybe(20, "paused: true"));
    }

    private String replicaSet(int i) {
        return workload("ReplicaSet", i, maybe(30, "minReadySeconds: 5"));
    }

    private String statefulSet(int i) {
        return workload(
                "StatefulSet",
                i,
                maybe(80, "serviceName: web"),
                maybe(40, "podManagementPolicy: " + oneOf("Parallel", "OrderedReady")),
                maybe(20, "ordinals: {start: 3}"),
                maybe(
                        40,
                        "updateStrategy: "
                                + oneOf(
                                        "{type: OnDelete}",
                                        "{rollingUpdate: {partition: 2}}",
                                        "{type: RollingUpdate}")));
    }

    private String job(int i) {
        return workload(
                "Job",
                i,
                maybe(50, "parallelism: " + random.nextInt(3)),
                maybe(50, "completions: 3"),
                maybe(30, "suspend: " + chance(50)));
    }

    private String limitRange(int i) {
        String container = fields(
                "type: Container",
                maybe(50, "max: {cpu: 8, memory: 8Gi}"),
                maybe(50, "min: {cpu: 100m}"),
                maybe(50, "default: {cpu: 4}"),
                maybe(50, "defaultRequest: {cpu: 500m}"),
                maybe(30, "maxLimitRequestRatio: {cpu: 20}"));
        String pod = "{type: Pod, max: {cpu: 16}" + maybe(50, ", min: {cpu: 10m}") + "}";
        return object(
                "v1",
                "LimitRange",
                named("limits-" + i, "namespace: " + LIMITED),
                "spec: {limits: [" + (chance(70) ? container + maybe(30, ", " + pod) : pod) + "]}");
    }

    private String quota(int i) {
        return object(
                "v1",
                "ResourceQuota",
                named("quota-" + i, "namespace: " + PLAIN),
                "spec: "
                        + fields(
                                        "hard: "
                                                + fields(
                                                        "pods: " + random.nextInt(9),
                                                        maybe(50, "requests.storage: 1Gi")),
                                        maybe(20, "scopes: [" + oneOf("BestEffort", "NotBestEffort") + "]"))
                                .replace("requests.storage: 1Gi", "count/configmaps: 3"));
    }

    private String pod(int i) {
        String namespace = oneOf(PLAIN, LIMITED);
        String owner = "ownerReferences: [{apiVersion: apps/v1, kind: "
                + oneOf("ReplicaSet", "StatefulSet", "DaemonSet") + ", name: web, uid: u-1, controller: true}]";
        return object(
                "v1",
                "Pod",
                named("pod-" + i, "namespace: " + namespace, labels(), maybe(60, owner)),
                "spec: " + podSpec(maybe(30, "restartPolicy: " + oneOf("Never", "OnFailure", "Always")), "pod-" + i));
    }

    private String podSpec(String restartPolicy, String name) {
        boolean ofNode = !name.equals("web") && chance(30);
        // With a limit of the pod as a whole, that of each container must not be larger.
        boolean whole = chance(25);
        return fields(
                restartPolicy,
                "containers: [" + containers("c", 1 + random.nextInt(2)) + "]",
                maybe(40, "initContainers: [" + containers("i", 1 + random.nextInt(2)) + "]"),
                whole
                        ? "resources: "
                                + fields(
                                        "limits: " + fields("cpu: 64", maybe(60, "memory: 64Gi")),
                                        maybe(40, "requests: {cpu: 32}"))
                        : "",
                maybe(15, "hostNetwork: true"),
                maybe(40, "volumes: [" + volumeOfPod() + "]"),
                maybe(60, affinity()),
                maybe(40, spread()),
                maybe(40, tolerations()),
                maybe(30, "priorityClassName: " + oneOf("high", "usual", "system-node-critical")),
                maybe(15, "schedulerName: other"),
                maybe(15, "runtimeClassName: safe"),
                ofNode ? "nodeName: node-" + random.nextInt(20) : maybe(10, "schedulingGates: [{name: g}]"),
                maybe(20, "nodeSelector: {disk: ssd}"));
    }

    private String containers(String name, int count) {
        return String.join(
                ", ",
                many(
                        count,
                        i -> fields(
                                "name: " + name + i,
                                "image: image",
                                maybe(70, "resources: " + resources()),
                                name.equals("i") ? maybe(40, "restartPolicy: Always") : "",
                                maybe(
                                        50,
                                        "ports: [{containerPort: " + ((name.equals("c") ? 8000 : 9000) + i)
                                                + maybe(40, ", protocol: UDP") + "}]"))));
    }

    private String resources() {
        return fields(
                maybe(
                        70,
                        "limits: "
                                + fields(
                                        maybe(60, "cpu: " + oneOf("2", "2500m")),
                                        maybe(60, "memory: " + oneOf("1Gi", "1500M")),
                                        maybe(30, "example.com/gpu: 1"))),
                maybe(50, "requests: " + fields(maybe(60, "cpu: " + oneOf("1", "100m")), maybe(60, "memory: 64Mi"))));
    }

    private String volumeOfPod() {
        return fields(
                "name: data",
                oneOf(
                        "",
                        "emptyDir: {}",
                        "emptyDir: {medium: Memory}",
                        "hostPath: {path: /data}",
                        "persistentVolumeClaim: {claimName: claim-1}",
                        "configMap: {name: c}",
                        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests:"
                                + " {storage: 1Gi}}}}}"));
    }

    private String affinity() {
        String field = oneOf("podAffinity", "podAntiAffinity");
        return "affinity: {" + field + ": {requiredDuringSchedulingIgnoredDuringExecution: [" + term()
                + maybe(30, ", " + term()) + "]}}";
    }

    /** {@return a term of pod affinity} The API server refuses a key that is in the selector too. */
    private String term() {
        return fields(
                        "topologyKey: " + oneOf("zone", "kubernetes.io/hostname"),
                        chance(90)
                                ? "labelSelector: {matchLabels: {app: web}}, "
                                        + fields(
                                                        maybe(60, "matchLabelKeys: [" + oneOf("hash", "none") + "]"),
                                                        maybe(40, "mismatchLabelKeys: [tier]"))
                                                .replaceAll("^\\{|\\}$", "")
                                : "",
                        maybe(20, "namespaces: [" + PLAIN + "]"),
                        maybe(20, "namespaceSelector: {}"))
                .replace(", ,", ",")
                .replace(", }", "}");
    }

    private String spread() {
        return "topologySpreadConstraints: ["
                + fields(
                        "topologyKey: " + oneOf("zone", "kubernetes.io/hostname"),
                        "maxSkew: " + (1 + random.nextInt(2)),
                        "whenUnsatisfiable: " + oneOf("DoNotSchedule", "ScheduleAnyway"),
                        "labelSelector: {matchLabels: {app: web}}",
                        maybe(50, "matchLabelKeys: [hash, tier]"),
                        maybe(30, "nodeTaintsPolicy: Honor"))
                + "]";
    }

    private String tolerations() {
        return "tolerations: ["
                + oneOf(
                        "{operator: Exists}",
                        "{operator: Exists, effect: NoExecute}",
                        "{operator: Exists, effect: NoSchedule}",
                        "{key: gpu, operator: Exists}",
                        "{key: node.kubernetes.io/not-ready, operator: Exists}",
                        "{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds:"
                                + " 30}")
                + "]";
    }
}
