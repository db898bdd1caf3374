package dev.holdfast.it.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random manifests for a small cluster in which nodes have little room: for resources, ports and volumes. Each manifest
 * is one object as YAML. The same seed gives the same manifests.
 */
final class RandomSeats {
    /** The driver of all CSI volumes. */
    static final String DRIVER = "disk.example.com";

    /** The number of claims in each namespace that pods may use. */
    private static final int CLAIMS = 24;

    private static final List<String> ZONES = List.of("a", "b", "c");
    static final List<String> NAMESPACES = List.of("plain", "roomy", "lowered", "strict", "best-effort", "classed");
    private static final List<String> CLASSES = List.of("anywhere", "zone-a", "zones-b-c");

    private final Random random;

    RandomSeats(Random random) {
        this.random = random;
    }

    /** {@return everything but the pods, in the order in which it must be created} */
    List<String> surroundings() {
        List<String> all = new ArrayList<>();
        for (String namespace : NAMESPACES) {
            all.add("{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
        }
        all.add(storageClass("anywhere", ""));
        all.add(storageClass("zone-a", zoneTerm("a")));
        all.add(storageClass("zones-b-c", zoneTerm("b, c")));
        all.add(quota("roomy", "pods: 1000, requests.cpu: 1000", ""));
        all.add(quota("lowered", "pods: 1", ""));
        all.add(quota("strict", "requests.memory: 1000Gi", ""));
        all.add(quota("best-effort", "pods: 0", ", scopes: [BestEffort]"));
        for (String namespace : NAMESPACES) {
            IntStream.range(0, CLAIMS).forEach(i -> {
                all.add(volume(namespace, i));
                all.add(claim(namespace, i));
            });
        }
        return all;
    }

    private static String storageClass(String name, String terms) {
        return "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " + name + "}, provisioner: "
                + DRIVER + ", volumeBindingMode: WaitForFirstConsumer, allowedTopologies: [" + terms + "]}";
    }

    private static String zoneTerm(String zones) {
        return "{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [" + zones + "]}]}";
    }

    private static String quota(String namespace, String hard, String scopes) {
        return "{apiVersion: v1, kind: ResourceQuota, metadata: {name: quota, namespace: " + namespace
                + "}, spec: {hard: {" + hard + "}" + scopes + "}}";
    }

    /** {@return a PersistentVolume: with a zone label, a node affinity, both or none, and mostly of the CSI driver} */
    private String volume(String namespace, int number) {
        String name = namespace + "-" + number;
        String label = random.nextInt(3) == 0 ? ", labels: {topology.kubernetes.io/zone: " + zones("__") + "}" : "";
        String affinity = random.nextInt(3) == 0
                ? ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key:"
                        + " topology.kubernetes.io/zone, operator: In, values: [" + zones(", ") + "]}]}]}}"
                : "";
        String source = random.nextInt(5) == 0
                ? "hostPath: {path: /data}"
                : "csi: {driver: " + DRIVER + ", volumeHandle: " + name + "}";
        return "{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name + label
                + "}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], claimRef: {namespace: " + namespace
                + ", name: data-" + number + "}, " + source + affinity + "}}";
    }

    private String zones(String separator) {
        String first = zone();
        return random.nextBoolean() ? first : first + separator + zone();
    }

    private String zone() {
        return ZONES.get(random.nextInt(ZONES.size()));
    }

    private static String claim(String namespace, int number) {
        return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-" + number + ", namespace: "
                + namespace + "}, spec: {storageClassName: '', volumeName: " + namespace + "-" + number
                + ", accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}}";
    }

    /** {@return a Node: in a zone or in none, some cordoned or tainted, with little room} */
    String node(String name) {
        String zone = random.nextInt(8) == 0 ? "" : ", topology.kubernetes.io/zone: " + zone();
        String taints = random.nextInt(5) == 0 ? "taints: [{key: gpu, effect: NoSchedule}]" : "";
        String cordon = random.nextInt(10) == 0 ? "unschedulable: true" : "";
        String room = String.format(
                Locale.ROOT, "{cpu: %d, memory: 8Gi, pods: %d}", 2 + random.nextInt(3), 4 + random.nextInt(8));
        return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {kubernetes.io/hostname: " + name
                + ", seat: 'yes', disk: " + (random.nextBoolean() ? "ssd" : "hdd") + zone + "}}, spec: {" + taints
                + (taints.isEmpty() || cordon.isEmpty() ? "" : ", ") + cordon + "}, status: {capacity: " + room
                + ", allocatable: " + room + "}}";
    }

    /** {@return the CSINode of a node: without a limit, or for few volumes} */
    String csiNode(String name) {
        String limit = random.nextInt(4) == 0 ? "" : ", allocatable: {count: " + (1 + random.nextInt(4)) + "}";
        return "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: " + name + "}, spec: {drivers: [{name: "
                + DRIVER + ", nodeID: " + name + ", topologyKeys: []" + limit + "}]}}";
    }

    /**
     * {@return a Pod that requires the label {@code seat: yes} and has random needs}
     *
     * @param node the node to which it is bound; empty if the scheduler shall place it
     */
    String pod(String namespace, String name, String node) {
        StringBuilder spec = new StringBuilder("nodeSelector: {seat: 'yes'");
        spec.append(random.nextInt(4) == 0 ? ", disk: ssd}" : "}");
        if (random.nextInt(3) == 0) {
            spec.append(", tolerations: [{key: gpu, operator: Exists}]");
        }
        if (!node.isEmpty()) {
            spec.append(", nodeName: ").append(node);
        }
        spec.append(", volumes: [").append(volumes(node.isEmpty())).append("]");
        spec.append(", terminationGracePeriodSeconds: 0, containers: [{name: c, image: i");
        if (random.nextInt(6) == 0) {
            spec.append(", ports: [{containerPort: 80, hostPort: ")
                    .append(8000 + random.nextInt(2))
                    .append("}]");
        }
        spec.append(", resources: {requests: {").append(requests()).append("}}}]");
        return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: " + namespace
                + ", labels: {app: seats}}, spec: {" + spec + "}}";
    }

    private String requests() {
        List<String> requests = new ArrayList<>();
        if (random.nextInt(4) > 0) {
            requests.add("cpu: " + (100 + 100 * random.nextInt(15)) + "m");
        }
        if (random.nextInt(4) > 0) {
            requests.add("memory: " + (1 + random.nextInt(3)) + "Gi");
        }
        return String.join(", ", requests);
    }

    private String volumes(boolean alsoEphemeral) {
        List<String> volumes = new ArrayList<>();
        int first = random.nextInt(CLAIMS);
        int count = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            volumes.add("{name: v" + i + ", persistentVolumeClaim: {claimName: data-" + (first + i) % CLAIMS + "}}");
        }
        if (alsoEphemeral && random.nextInt(8) == 0) {
            volumes.add("{name: scratch, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: "
                    + CLASSES.get(random.nextInt(CLASSES.size()))
                    + ", accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}");
        }
        return String.join(", ", volumes);
    }

    String namespace() {
        return NAMESPACES.get(random.nextInt(NAMESPACES.size()));
    }
}
