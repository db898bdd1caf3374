package dev.holdfast.operator.offline.policytest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.dump.DumpException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What API server and controllers add to pods of files and of their workloads. A policy lists each bound pod as a
 * violation, with its node.
 */
class AddedByServerTest {
    private static final String WATCH = """
        apiVersion: holdfast.dev/v1alpha1
        kind: ClusterPlacementPolicy
        metadata: {name: watch}
        spec:
          podSelector: {}
          podRuleSelection: None
          rules:
          - name: all
            nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: nowhere, operator: Exists}]}]}}
        """;

    private static final String NODES = """
        apiVersion: v1
        kind: Node
        metadata: {name: n1, labels: {zone: a}}
        status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10, example.com/gpu: 1}}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: n2, labels: {zone: b}}
        status: {capacity: {cpu: 2, memory: 8Gi, pods: 10}}
        ---
        """;

    @TempDir
    private Path folder;

    private static String workload(String kind, String spec, String podSpec) {
        return """
            apiVersion: %s
            kind: %s
            metadata: {name: web, namespace: shop}
            spec:
              %s
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {%s}
            """.formatted(kind.equals("Job") ? "batch/v1" : "apps/v1", kind, spec, podSpec);
    }

    private static String deployment(int replicas, String podSpec) {
        return workload("Deployment", "replicas: " + replicas, podSpec);
    }

    private static String container(String fields) {
        return "containers: [{name: c, image: web:1, " + fields + "}]";
    }

    /** Anti-affinity among pods with the label {@code app: web} that have the same value of another label. */
    private static String apartBy(String field, String key) {
        return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector:"
                + " {matchLabels: {app: web}}, " + field + ": [" + key + "], topologyKey: zone}]}}, "
                + container("ports: []");
    }

    private static Arguments row(String name, String cluster, String next, String... pods) {
        return argumentSet(name, cluster, next, List.of(pods));
    }

    static Stream<Arguments> folders() {
        String surge = "replicas: 2\n  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
        String byRevision = workload("Deployment", surge, apartBy("matchLabelKeys", "pod-template-hash"));
        String byName = workload(
                "StatefulSet", "replicas: 3", apartBy("mismatchLabelKeys", "statefulset.kubernetes.io/pod-name"));
        return Stream.of(
                row(
                        "two pods want the only GPU, which they write as a limit",
                        deployment(2, container("resources: {limits: {example.com/gpu: 1}}")),
                        "",
                        "{pod: shop/web-1, node: n1}"),
                row(
                        "a limit of an init container is a request",
                        deployment(
                                1,
                                "initContainers: [{name: i, image: i, resources: {limits: {cpu: 3}}}], "
                                        + container("ports: []")),
                        "",
                        "{pod: shop/web-1, node: n1}"),
                row(
                        "a limit of the pod as a whole is a request",
                        deployment(3, "resources: {limits: {cpu: 3}}, " + container("ports: []")),
                        "",
                        "{pod: shop/web-1, node: n1}"),
                row(
                        "the capacity of a node is for pods if it does not say what is",
                        deployment(3, container("resources: {requests: {cpu: 2}}")),
                        "",
                        "{pod: shop/web-1, node: n1}",
                        "{pod: shop/web-2, node: n2}",
                        "{pod: shop/web-3, node: n1}"),
                row(
                        "two pods in the network of their node need two nodes for one port",
                        deployment(3, "hostNetwork: true, " + container("ports: [{containerPort: 80}]")),
                        "",
                        "{pod: shop/web-1}",
                        "{pod: shop/web-2}"),
                row(
                        "as many replicas as nodes are rolled out, because revisions do not see each other",
                        byRevision,
                        byRevision.replace("web:1", "web:2"),
                        "{pod: shop/web-r2-1}",
                        "{pod: shop/web-r2-2}"),
                row(
                        "a ReplicaSet without a Deployment adds no revision to its pods",
                        workload("ReplicaSet", "replicas: 3", apartBy("matchLabelKeys", "pod-template-hash")),
                        "",
                        "{pod: shop/web-1}",
                        "{pod: shop/web-2}"),
                row(
                        "the pods of a StatefulSet have different names, also those that it gets later",
                        byName,
                        byName.replace("replicas: 3", "replicas: 4"),
                        "{pod: shop/web-0}",
                        "{pod: shop/web-1}"),
                row(
                        "the pods of an indexed Job have different indexes",
                        workload(
                                        "Job",
                                        "parallelism: 3\n  completions: 3\n  completionMode: Indexed",
                                        apartBy("matchLabelKeys", "batch.kubernetes.io/job-completion-index"))
                                .replace("  selector: {matchLabels: {app: web}}\n", ""),
                        "",
                        "{pod: shop/web-1}",
                        "{pod: shop/web-2}",
                        "{pod: shop/web-3}"),
                row(
                        "a namespace has the label of its name",
                        "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n---\n"
                                + deployment(
                                        3,
                                        "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                                                + " [{labelSelector: {}, namespaceSelector: {matchLabels:"
                                                + " {kubernetes.io/metadata.name: shop}}, topologyKey: zone}]}}, "
                                                + container("ports: []")),
                        "",
                        "{pod: shop/web-1}",
                        "{pod: shop/web-2}"),
                row(
                        "a LimitRange sets the requests of pods that name none",
                        "{apiVersion: v1, kind: LimitRange, metadata: {name: l, namespace: shop}, spec: {limits:"
                                + " [{type: Container, default: {cpu: 3}}]}}\n"
                                + "---\n" + deployment(2, container("ports: []")),
                        "",
                        "{pod: shop/web-1, node: n1}"),
                row(
                        "a StatefulSet without a number of replicas has one pod after a roll-out too",
                        workload("StatefulSet", "serviceName: web", container("ports: []")),
                        workload("StatefulSet", "serviceName: web", container("ports: []"))
                                .replace("web:1", "web:2"),
                        "{pod: shop/web-0}"));
    }

    @ParameterizedTest
    @MethodSource("folders")
    void thePodsThatRunInTheEnd(String cluster, String next, List<String> pods) throws DumpException {
        TestFolder test = new TestFolder(folder)
                .file("cluster.yaml", NODES + cluster)
                .file("policies.yaml", WATCH)
                .file("next.yaml", next.isEmpty() ? cluster : next);
        String steps = next.isEmpty() ? "" : "steps: [{at: 5m, apply: next.yaml}]\n";

        assertThat(test.test(steps + "end: 1h\nexpect: [{at: 1h, violations: [" + String.join(", ", pods) + "]}]\n")
                        .deviations())
                .filteredOn(line -> line.startsWith("at "))
                .isEmpty();
    }
}
