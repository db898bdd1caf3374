package dev.holdfast.it.bench.dump;

import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;

/**
 * Writes what {@code kubectl get pods,nodes,namespaces,replicasets -A -o json} prints about a generated cluster. Each
 * workload has 30 pods; a quarter of them has a nodeSelector, a quarter anti-affinity, a quarter a spread constraint,
 * and a quarter no rule. One node in 50 does not match the nodeSelector.
 */
final class DumpFile {
    private static final int REPLICAS = 30;
    private static final int NAMESPACES = 100;
    private static final int ZONES = 3;
    private static final int MISMATCHED = 50;
    private static final int KINDS_OF_RULES = 4;
    private static final int BUFFER = 1 << 20;
    private static final String GAP = ",\n";

    private final int pods;
    private final int nodes;

    /** The pod as kubectl prints it, with words in upper case for what differs. */
    private final String template;

    DumpFile(int pods, int nodes) throws IOException {
        this.pods = pods;
        this.nodes = nodes;
        try (InputStream text = Objects.requireNonNull(DumpFile.class.getResourceAsStream("pod.txt"))) {
            this.template = new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Writes the dump, in gzip if the name of the file ends so. */
    void write(Path file) throws IOException {
        OutputStream bytes = new BufferedOutputStream(Files.newOutputStream(file), BUFFER);
        boolean packed = file.toString().endsWith(".gz");
        try (Writer text = new BufferedWriter(
                new OutputStreamWriter(packed ? new GZIPOutputStream(bytes) : bytes, StandardCharsets.UTF_8))) {
            text.write("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n");
            for (int number = 0; number < nodes; number++) {
                text.write(node(number) + GAP);
            }
            for (int number = 0; number < NAMESPACES; number++) {
                text.write(String.format(Locale.ROOT, """
                        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ns-%d"}}\
                    """, number) + GAP);
            }
            for (int number = 0; number * REPLICAS < pods; number++) {
                text.write(replicaSet(number) + GAP);
            }
            for (int number = 0; number < pods; number++) {
                text.write(pod(number) + (number + 1 < pods ? GAP : "\n"));
            }
            text.write("""
                    ],
                    "kind": "List",
                    "metadata": {
                        "resourceVersion": ""
                    }
                }
                """);
        }
    }

    private static String node(int number) {
        return String.format(Locale.ROOT, """
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-%1$d", "uid": "n%1$d",
                     "labels": {"kubernetes.io/hostname": "node-%1$d", "topology.kubernetes.io/zone": "z%2$d", "disk": "%3$s"}},
                     "status": {"allocatable": {"cpu": "32", "memory": "128Gi", "pods": "110"},
                     "conditions": [{"type": "Ready", "status": "True"}]}}\
            """, number, number % ZONES, number % MISMATCHED == 0 ? "hdd" : "ssd");
    }

    private static String replicaSet(int workload) {
        return String.format(Locale.ROOT, """
                    {"apiVersion": "apps/v1", "kind": "ReplicaSet",
                     "metadata": {"name": "app-%1$d", "namespace": "ns-%2$d", "uid": "rs%1$d"},
                     "spec": {"replicas": %3$d}}\
            """, workload, workload % NAMESPACES, REPLICAS);
    }

    private String pod(int number) {
        int workload = number / REPLICAS;
        int node = Math.floorMod(workload * 7_919 + number % REPLICAS * (1 + workload % 5), nodes);
        return template.replace("NUMBER", Integer.toString(number))
                .replace("NAMESPACE", "ns-" + workload % NAMESPACES)
                .replace("RULE", rule(workload))
                .replace("APP", Integer.toString(workload))
                .replace("NODE", Integer.toString(node));
    }

    private static String rule(int workload) {
        return switch (workload % KINDS_OF_RULES) {
            case 0 -> """
                "nodeSelector": {"disk": "ssd"},
                """;
            case 1 -> """
                "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                {"labelSelector": {"matchLabels": {"app": "app-APP"}}, "topologyKey": "kubernetes.io/hostname"}]}},
                """;
            case 2 -> """
                "topologySpreadConstraints": [{"labelSelector": {"matchLabels": {"app": "app-APP"}}, "maxSkew": 5,
                "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule"}],
                """;
            default -> "";
        };
    }
}
