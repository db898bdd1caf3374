package dev.holdfast.it.bench.cluster;

import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A kind of objects that are as large as kube-apiserver and etcd accept, about 1.4 MB. The bytes are in the fields that
 * the operator reads, as far as their limits allow; the names of labels and values differ from object to object. The
 * kinds that begin with READABLE are as large as Holdfast still reads.
 */
public enum HostileKind {
    PODS("/registry/pods/", "/api/v1/", "pods", true, pod(labels(2_700), antiAffinity(10, 1_000), "", "")),
    READABLE_PODS(
            "/registry/pods/",
            "/api/v1/",
            "pods",
            true,
            pod(labels(24), antiAffinity(12, 4), resources(31), claims(32))),
    NODES("/registry/minions/", "/api/v1/", "nodes", false, node(labels(6_400))),
    READABLE_NODES("/registry/minions/", "/api/v1/", "nodes", false, node(labels(121))),
    NAMESPACES("/registry/namespaces/", "/api/v1/", "namespaces", false, """
        {"apiVersion": "v1", "kind": "Namespace", "metadata": %s}\
        """.formatted(cluster(labels(6_400)))),
    DEPLOYMENTS("/registry/deployments/", "/apis/apps/v1/", "deployments", true, workload("Deployment", "")),
    REPLICA_SETS("/registry/replicasets/", "/apis/apps/v1/", "replicasets", true, workload("ReplicaSet", "")),
    STATEFUL_SETS(
            "/registry/statefulsets/",
            "/apis/apps/v1/",
            "statefulsets",
            true,
            workload("StatefulSet", "\"serviceName\": \"hostile\", ")),
    JOBS("/registry/jobs/", "/apis/batch/v1/", "jobs", true, """
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": %s, "spec": {"suspend": true, "template": {"spec":
        {"restartPolicy": "Never", "containers": %s}}}}\
        """.formatted(namespaced("", annotation()), containers())),
    BUDGETS("/registry/poddisruptionbudgets/", "/apis/policy/v1/", "poddisruptionbudgets", true, """
        {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": %s, "spec": {"minAvailable": 1,
        "selector": {"matchExpressions": [{"key": "app", "operator": "In", "values": [%s]}]}}}\
        """.formatted(
                    namespaced("", ""), list(20_000, HostileKind::value))),
    QUOTAS("/registry/resourcequotas/", "/api/v1/", "resourcequotas", true, """
        {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": %s, "spec": {"hard": {%s}}}\
        """.formatted(
                    namespaced("", ""), list(8_000, i -> "\"count/" + name(i) + "\": \"1\""))),
    CSI_NODES("/registry/csinodes/", "/apis/storage.k8s.io/v1/", "csinodes", false, """
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": %s, "spec": {"drivers": [%s]}}\
        """.formatted(
                    cluster(""),
                    list(
                            3_500,
                            i -> "{\"name\": \"" + name(i) + "\", \"nodeID\": \"" + "n".repeat(190)
                                    + "\", \"topologyKeys\": [\"a\"], \"allocatable\": {\"count\": 1}}"))),
    POLICIES(
            "/registry/holdfast.dev/placementpolicies/",
            "/apis/holdfast.dev/v1alpha1/",
            "placementpolicies",
            true,
            """
            {"apiVersion": "holdfast.dev/v1alpha1", "kind": "PlacementPolicy", "metadata": %s, "spec": {"mode": "Audit",
            "podSelector": {"matchLabels": {"none": "yes"}}}}\
            """.formatted(namespaced(labels(6_400), ""))),
    POLICIES_FULL(
            "/registry/holdfast.dev/placementpolicies/",
            "/apis/holdfast.dev/v1alpha1/",
            "placementpolicies",
            true,
            policy("PlacementPolicy", namespaced("", ""), HostileKind.RULES, list(50, HostileKind::value))),
    READABLE_POLICIES(
            "/registry/holdfast.dev/placementpolicies/",
            "/apis/holdfast.dev/v1alpha1/",
            "placementpolicies",
            true,
            policy("PlacementPolicy", namespaced("", ""), 1, list(24, HostileKind::shortValue))),
    CLUSTER_POLICIES_FULL(
            "/registry/holdfast.dev/clusterplacementpolicies/",
            "/apis/holdfast.dev/v1alpha1/",
            "clusterplacementpolicies",
            false,
            policy("ClusterPlacementPolicy", cluster(""), HostileKind.RULES, list(50, HostileKind::value))),
    CLUSTER_POLICIES(
            "/registry/holdfast.dev/clusterplacementpolicies/",
            "/apis/holdfast.dev/v1alpha1/",
            "clusterplacementpolicies",
            false,
            """
            {"apiVersion": "holdfast.dev/v1alpha1", "kind": "ClusterPlacementPolicy", "metadata": %s, "spec": {"mode":
            "Audit", "podSelector": {"matchLabels": {"none": "yes"}}}}\
            """.formatted(cluster(labels(6_400)))),
    PAUSES(
            "/registry/holdfast.dev/enforcementpauses/",
            "/apis/holdfast.dev/v1alpha1/",
            "enforcementpauses",
            false,
            """
            {"apiVersion": "holdfast.dev/v1alpha1", "kind": "EnforcementPause", "metadata": %s, "spec": {"reason":
            "hostile", "namespaceSelector": {"matchLabels": {"none": "yes"}}}}\
            """.formatted(cluster(labels(6_400)))),
    READABLE_PAUSES(
            "/registry/holdfast.dev/enforcementpauses/",
            "/apis/holdfast.dev/v1alpha1/",
            "enforcementpauses",
            false,
            """
            {"apiVersion": "holdfast.dev/v1alpha1", "kind": "EnforcementPause", "metadata": %s, "spec": {"reason":
            "hostile", "namespaceSelector": {"matchExpressions": [%s]}}}\
            """.formatted(cluster(""), expressions(0, list(24, HostileKind::shortValue))));

    /** The name in the template. Like the two values below, it has the length of what replaces it. */
    static final String NAME = "hostile-nnnnnn";

    static final String TURN = "turn-000000";
    static final String NAMESPACE = "hostile";

    private static final int LONGEST_NAME = 63;

    /** How many rules the CRD admits in a policy. */
    private static final int RULES = 20;

    private static final int ANNOTATION_CHARACTERS = 250_000;
    private static final int CONTAINER_CHARACTERS = 1_100_000;

    private final String keys;
    private final String group;
    private final String plural;
    private final boolean isNamespaced;
    private final String json;

    /**
     * @param keys what the keys of the kind's objects in etcd begin with
     * @param group the API path of the kind's group and version
     * @param json the template
     */
    HostileKind(String keys, String group, String plural, boolean isNamespaced, String json) {
        this.keys = keys;
        this.group = group;
        this.plural = plural;
        this.isNamespaced = isNamespaced;
        this.json = json;
    }

    /** {@return the kind as an option and a report have it, such as {@code replica-sets}} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String json() {
        return json;
    }

    /** {@return the API path of the template} */
    String path() {
        return group + (isNamespaced ? "namespaces/" + NAMESPACE + "/" : "") + plural + "/" + NAME;
    }

    /** {@return the media type in which kube-apiserver stores the kind} */
    String encoding() {
        return group.contains("holdfast.dev") ? "application/json" : "application/vnd.kubernetes.protobuf";
    }

    /** {@return the key of an object in etcd} */
    String key(String name) {
        return keys + (isNamespaced ? NAMESPACE + "/" : "") + name;
    }

    private static String pod(String labels, String antiAffinity, String resources, String volumes) {
        return """
            {"apiVersion": "v1", "kind": "Pod", "metadata": %s, "spec": {"nodeName": "bench-0001",
            "terminationGracePeriodSeconds": 0, "containers": [{"name": "main", "image": "main", "resources":
            {"requests": {%s}, "limits": {%s}}}], "volumes": [%s], "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [%s]}}}}\
            """.formatted(namespaced(labels, ""), resources, resources, volumes, antiAffinity);
    }

    private static String node(String labels) {
        return """
            {"apiVersion": "v1", "kind": "Node", "metadata": %s}\
            """.formatted(cluster(labels));
    }

    private static String workload(String kind, String field) {
        return """
            {"apiVersion": "apps/v1", "kind": "%s", "metadata": %s, "spec": {%s"replicas": 0,
            "selector": {"matchLabels": {"app": "hostile"}}, "template": {"metadata": {"labels": {"app": "hostile"}},
            "spec": {"containers": %s}}}}\
            """.formatted(kind, namespaced("", annotation()), field, containers());
    }

    private static String namespaced(String labels, String annotation) {
        return metadata("\"namespace\": \"" + NAMESPACE + "\", ", labels, annotation);
    }

    private static String cluster(String labels) {
        return metadata("", labels, "");
    }

    private static String metadata(String namespace, String labels, String annotation) {
        return """
            {"name": "%s", %s"labels": {%s}, "annotations": {"bench.holdfast.dev/turn": "%s"%s}}\
            """.formatted(NAME, namespace, labels, TURN, annotation);
    }

    private static String annotation() {
        return ", \"holdfast.dev/forgiveness-seconds\": \"" + "9".repeat(ANNOTATION_CHARACTERS) + "\"";
    }

    private static String containers() {
        return "[{\"name\": \"main\", \"image\": \"main\", \"args\": [\"" + "a".repeat(CONTAINER_CHARACTERS) + "\"]}]";
    }

    private static String labels(int count) {
        return list(count, i -> "\"" + name(i) + "\": " + value(i));
    }

    private static String antiAffinity(int terms, int values) {
        return list(terms, i -> """
            {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchExpressions":
            [{"key": "%s", "operator": "In", "values": [%s]}]}}\
            """.formatted(name(i), list(values, HostileKind::value)));
    }

    private static String resources(int count) {
        return list(count, i -> "\"x/" + name(i) + "\": \"1\"");
    }

    private static String claims(int count) {
        return list(
                count,
                i -> "{\"name\": \"v-" + i + "\", \"persistentVolumeClaim\": {\"claimName\": " + value(i) + "}}");
    }

    /** {@return a policy whose expressions all have these values, of which the CRD admits 50} */
    private static String policy(String kind, String metadata, int rules, String values) {
        return """
            {"apiVersion": "holdfast.dev/v1alpha1", "kind": "%s", "metadata": %s, "spec": {"mode": "Audit",
            "podSelector": {"matchLabels": {"none": "yes"}}, "rules": [%s]}}\
            """.formatted(kind, metadata, list(rules, i -> rule(i, values)));
    }

    private static String rule(int number, String values) {
        return """
            {"name": "r-%s", "nodeAffinity": {"required": {"nodeSelectorTerms": [%s]}}}\
            """.formatted(number, list(2, _ -> "{\"matchExpressions\": [" + expressions(number, values) + "]}"));
    }

    private static String expressions(int rule, String values) {
        return list(9, i -> """
            {"key": "k-%s", "operator": "In", "values": [%s]}\
            """.formatted(rule * 10 + i, values));
    }

    /** {@return a value of 16 characters, of which a policy at the limits of Holdfast has most} */
    private static String shortValue(int number) {
        return String.format(Locale.ROOT, "\"%s%02d\"", NAME, number);
    }

    private static String list(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(", "));
    }

    private static String value(int number) {
        return "\"" + name(number) + "\"";
    }

    /** {@return a name of 63 characters with the object's own name} */
    private static String name(int number) {
        String name = String.format(Locale.ROOT, "%s-%05d", NAME, number);
        return name + "x".repeat(LONGEST_NAME - name.length());
    }
}
