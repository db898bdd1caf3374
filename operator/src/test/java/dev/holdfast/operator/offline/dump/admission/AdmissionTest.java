package dev.holdfast.operator.offline.dump.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.policies.model.NamespacedName;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares objects of files with the same objects as an API server stores them, which have a UID. */
class AdmissionTest {
    private static final String TOLERATIONS = "tolerations: ["
            + "{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}, "
            + "{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]";
    private static final String CONTAINERS = "containers: [{name: c, image: i}]";

    /** The other objects of the file. */
    private static final String OTHERS = """
        {apiVersion: v1, kind: Node, metadata: {name: n, labels: {topology.kubernetes.io/zone: z, disk: ssd}}}
        ---
        {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1234}
        ---
        apiVersion: node.k8s.io/v1
        kind: RuntimeClass
        metadata: {name: safe}
        handler: safe
        overhead: {podFixed: {cpu: 250m, memory: 64Mi}}
        scheduling: {nodeSelector: {runtime: safe}, tolerations: [{key: safe, operator: Exists}]}
        ---
        """;

    private static final String GLOBAL_DEFAULT = """
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: usual}
        value: 7
        globalDefault: true
        ---
        """;

    private static final String RUNTIME_CLASS = """
        apiVersion: node.k8s.io/v1
        kind: RuntimeClass
        metadata: {name: fast}
        scheduling: {nodeSelector: {runtime: fast}}
        ---
        """;

    private static final String LIMIT_RANGE = """
        apiVersion: v1
        kind: LimitRange
        metadata: {name: usual, namespace: shop}
        spec: {limits: [{type: Container, default: {cpu: 2}, defaultRequest: {cpu: 1}}]}
        ---
        """;

    /** {@return an event as {@code kubectl get -w --output-watch-events} prints it} */
    private static String watched(String type, String object) {
        return "type: " + type + "\nobject:\n" + object.replace("---\n", "").indent(2) + "---\n";
    }

    private static Arguments row(String name, String written, String stored) {
        return argumentSet(name, "", written, "", stored);
    }

    private static String term(String more) {
        return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, "
                + more + "}]}}, " + CONTAINERS;
    }

    private static String spread(String more) {
        return "topologySpreadConstraints: [{topologyKey: zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, " + more
                + "}], " + CONTAINERS;
    }

    private static String container(String resources) {
        return "containers: [{name: c, image: i, resources: {" + resources + "}}]";
    }

    static Stream<Arguments> pods() {
        return Stream.of(
                row("a pod tolerates nodes that are not Ready", CONTAINERS, CONTAINERS + ", " + TOLERATIONS),
                row(
                        "a toleration of every NoExecute taint is enough",
                        CONTAINERS + ", tolerations: [{operator: Exists, effect: NoExecute}]",
                        CONTAINERS + ", tolerations: [{operator: Exists, effect: NoExecute}]"),
                row(
                        "a toleration of NoSchedule is none of NoExecute",
                        CONTAINERS + ", tolerations: [{operator: Exists, effect: NoSchedule}]",
                        CONTAINERS + ", "
                                + TOLERATIONS.replace("[{key", "[{operator: Exists, effect: NoSchedule}, {key")),
                row(
                        "matchLabelKeys are merged, keys that the pod lacks are not",
                        term("labelSelector: {}, matchLabelKeys: [app, other]"),
                        term("labelSelector: {matchExpressions: [{key: app, operator: In, values: [web]}]},"
                                        + " matchLabelKeys: [app, other]")
                                + ", " + TOLERATIONS),
                row(
                        "mismatchLabelKeys are merged after matchLabelKeys",
                        term("labelSelector: {}, mismatchLabelKeys: [tier], matchLabelKeys: [app]"),
                        term("labelSelector: {matchExpressions: [{key: app, operator: In, values: [web]},"
                                        + " {key: tier, operator: NotIn, values: [one]}]}, matchLabelKeys: [app],"
                                        + " mismatchLabelKeys: [tier]")
                                + ", " + TOLERATIONS),
                row(
                        "nothing is merged into a selector that is missing",
                        term("matchLabelKeys: [app]"),
                        term("matchLabelKeys: [app]") + ", " + TOLERATIONS),
                row(
                        "a selector that an API server has merged already stays as it is",
                        term("labelSelector: {matchExpressions: [{key: app, operator: In, values: [web]}]},"
                                + " matchLabelKeys: [app]"),
                        term("labelSelector: {matchExpressions: [{key: app, operator: In, values: [web]}]},"
                                        + " matchLabelKeys: [app]")
                                + ", " + TOLERATIONS),
                row(
                        "matchLabelKeys of a spread constraint are merged",
                        spread("labelSelector: {}, matchLabelKeys: [app]"),
                        spread("labelSelector: {matchExpressions: [{key: app, operator: In, values: [web]}]},"
                                        + " matchLabelKeys: [app]")
                                + ", " + TOLERATIONS),
                row(
                        "a limit without a request is a request",
                        container("limits: {cpu: 2, example.com/gpu: 1}, requests: {cpu: 1}"),
                        container("limits: {cpu: 2, example.com/gpu: 1}, requests: {cpu: 1, example.com/gpu: 1}") + ", "
                                + TOLERATIONS),
                row(
                        "a pod as a whole requests the sum of its containers where it names a limit",
                        container("requests: {cpu: 1}") + ", resources: {limits: {cpu: 4, memory: 1Gi}}",
                        container("requests: {cpu: 1}")
                                + ", resources: {limits: {cpu: 4, memory: 1Gi}, requests: {cpu: 1, memory: 1Gi}}, "
                                + TOLERATIONS),
                row(
                        "a pod has the priority of its class",
                        CONTAINERS + ", priorityClassName: high",
                        CONTAINERS + ", priorityClassName: high, priority: 1234, " + TOLERATIONS),
                row(
                        "each cluster has the classes of system pods",
                        CONTAINERS + ", priorityClassName: system-node-critical",
                        CONTAINERS + ", priorityClassName: system-node-critical, priority: 2000001000, " + TOLERATIONS),
                row(
                        "a RuntimeClass adds an overhead, a node selector and tolerations",
                        container("requests: {cpu: 1}") + ", runtimeClassName: safe, nodeSelector: {disk: ssd}",
                        container("requests: {cpu: 1}")
                                + ", runtimeClassName: safe, nodeSelector: {disk: ssd, runtime: safe}, overhead: {cpu:"
                                + " 250m, memory: 64Mi}, "
                                + TOLERATIONS.replace("300}]", "300}, {key: safe, operator: Exists}]")),
                row(
                        "a RuntimeClass adds no toleration that is there, and no overhead to one that is written",
                        CONTAINERS
                                + ", runtimeClassName: safe, overhead: {cpu: 250m, memory: 64Mi}, tolerations:"
                                + " [{operator: Exists}]",
                        CONTAINERS
                                + ", overhead: {cpu: 250m, memory: 64Mi}, nodeSelector: {runtime: safe}, tolerations:"
                                + " [{operator: Exists}]"),
                argumentSet(
                        "a pod without a class has the priority of the global default",
                        GLOBAL_DEFAULT,
                        CONTAINERS,
                        "",
                        CONTAINERS + ", priority: 7, " + TOLERATIONS),
                argumentSet(
                        "a pod with a class has nothing of the global default",
                        GLOBAL_DEFAULT,
                        CONTAINERS + ", priorityClassName: high",
                        "",
                        CONTAINERS + ", priority: 1234, " + TOLERATIONS),
                argumentSet(
                        "a watch saw the end of a global default",
                        watched("ADDED", GLOBAL_DEFAULT) + watched("DELETED", GLOBAL_DEFAULT),
                        CONTAINERS,
                        "",
                        CONTAINERS + ", " + TOLERATIONS),
                argumentSet(
                        "the lower one of two global defaults counts, and one may lose this role",
                        GLOBAL_DEFAULT
                                + GLOBAL_DEFAULT.replace("usual", "other").replace("7", "9")
                                + watched("MODIFIED", GLOBAL_DEFAULT.replace("true", "false")),
                        CONTAINERS,
                        "",
                        CONTAINERS + ", priority: 9, " + TOLERATIONS),
                argumentSet(
                        "a watch saw the end of a RuntimeClass",
                        watched("ADDED", RUNTIME_CLASS) + watched("DELETED", RUNTIME_CLASS),
                        CONTAINERS + ", runtimeClassName: fast",
                        "",
                        CONTAINERS + ", runtimeClassName: fast, " + TOLERATIONS),
                argumentSet(
                        "the defaults of LimitRanges are set, and an annotation says so",
                        LIMIT_RANGE,
                        CONTAINERS,
                        ", annotations: {kubernetes.io/limit-ranger: \"LimitRanger plugin set: cpu\"}",
                        container("limits: {cpu: 2}, requests: {cpu: 1}") + ", " + TOLERATIONS),
                argumentSet(
                        "a limit is a request before LimitRanges set defaults",
                        LIMIT_RANGE,
                        container("limits: {cpu: 500m}"),
                        "",
                        container("limits: {cpu: 500m}, requests: {cpu: 500m}") + ", " + TOLERATIONS),
                argumentSet(
                        "a pod on a node has the zone of the node as a label",
                        "",
                        CONTAINERS + ", nodeName: n",
                        ", labels: {app: web, tier: one, topology.kubernetes.io/zone: z}",
                        CONTAINERS + ", nodeName: n, " + TOLERATIONS));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void aPodIsReadAsTheApiServerWouldStoreIt(String others, String written, String metadata, String stored)
            throws DumpException {
        String ofServer = ", uid: Pod/shop/web-1, resourceVersion: \"1\", generation: 1";
        String defaults = metadata.contains("labels:") ? "" : ", labels: {app: web, tier: one}";

        assertThat(read(others + pod(", labels: {app: web, tier: one}", written)))
                .isEqualTo(read(others + pod(ofServer + metadata + defaults, stored + "}, status: {phase: Pending")));
    }

    private static String pod(String metadata, String spec) {
        String owner = "[{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u, controller: true}]";
        return "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-1, ownerReferences: " + owner
                + metadata + "}, spec: {" + spec + "}}";
    }

    private static Dump dump(String text) throws DumpException {
        byte[] bytes = text.getBytes(UTF_8);
        return new DumpReader(_ -> {}).read(List.of(new DumpFile("file", () -> new ByteArrayInputStream(bytes))));
    }

    private static List<Object> read(String objects) throws DumpException {
        Dump dump = dump(OTHERS + objects);
        assertThat(dump.warnings()).isEmpty();
        return List.copyOf(dump.objects());
    }

    @Test
    void aPodOfAClusterStaysAsItIs() throws DumpException {
        String spec = term("labelSelector: {}, matchLabelKeys: [app]")
                + ", nodeName: n, priorityClassName: high}, status: {phase: Running";
        String bare = GLOBAL_DEFAULT + LIMIT_RANGE;
        String metadata = ", labels: {app: web}, uid: u";

        assertThat(read(bare + pod(metadata, spec)).toString())
                .doesNotContain("app in (web)", "not-ready", "1234")
                .contains(
                        "priority=0",
                        "labels=app=web, node=n",
                        "podAntiAffinity=[every pod by zone]",
                        "tolerations=[]");
    }

    @Test
    void aClassThatIsNotThereIsAWarning() throws DumpException {
        String spec = CONTAINERS + ", priorityClassName: low";

        assertThat(dump(pod("", spec)).warnings())
                .containsExactly("PriorityClass low was not read, and a pod names it, whose priority counts as 0: give"
                        + " priorityclasses too");
        assertThat(dump(pod("", spec) + "\n---\n" + pod("", spec).replace("web-1", "web-2"))
                        .warnings())
                .containsExactly("PriorityClass low was not read, and 2 pods name it, whose priority counts as 0: give"
                        + " priorityclasses too");
        assertThat(dump(pod("", spec + ", priority: 5")).warnings()).isEmpty();
        assertThat(dump(pod(", uid: u", spec)).warnings()).isEmpty();
    }

    static Stream<Arguments> claims() {
        String local = "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: local, annotations:"
                + " {storageclass.kubernetes.io/is-default-class: \"true\"}%s}, provisioner: p}\n---\n";
        return Stream.of(
                argumentSet("without a default class it has none", "", "spec: {}", ""),
                argumentSet("it has the default class", local.formatted(""), "spec: {}", "local"),
                argumentSet("it has the class that it names", local.formatted(""), "spec: {storageClassName: a}", "a"),
                argumentSet(
                        "an empty name asks for no class", local.formatted(""), "spec: {storageClassName: \"\"}", ""),
                argumentSet(
                        "of two default classes the first by name counts",
                        local.formatted("") + local.formatted("").replace("local", "disk"),
                        "spec: {}",
                        "disk"),
                argumentSet(
                        "of two default classes the newer one counts",
                        local.formatted(", creationTimestamp: 2026-01-02T00:00:00Z")
                                + local.formatted(", creationTimestamp: 2026-01-01T00:00:00Z")
                                        .replace("local", "disk"),
                        "spec: {}",
                        "local"),
                argumentSet(
                        "a claim of a cluster stays without a class",
                        local.formatted(""),
                        "metadata: {name: data, namespace: shop, uid: u}, spec: {}",
                        ""));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aClaimHasAClass(String classes, String claim, String expected) throws DumpException {
        String metadata = claim.startsWith("metadata") ? "" : "metadata: {name: data, namespace: shop}, ";
        Dump dump = dump(classes + "{apiVersion: v1, kind: PersistentVolumeClaim, " + metadata + claim + "}");

        assertThat(dump.volumes()
                        .claim(new NamespacedName("shop", "data"))
                        .orElseThrow()
                        .storageClass()
                        .orElse(""))
                .isEqualTo(expected);
    }
}
