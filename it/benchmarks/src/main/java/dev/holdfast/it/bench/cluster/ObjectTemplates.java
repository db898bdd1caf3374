package dev.holdfast.it.bench.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The encoded objects from which all nodes, pods and ReplicaSets of a {@link FilledCluster} are made. Each is created
 * once through kube-apiserver, with the status that a kubelet or a controller would write, and read from etcd. The
 * objects are as large as in a production cluster: environment variables, probes, images, managed fields.
 *
 * <p>Overwriting words in the bytes of an object with words of the same length gives other objects. Since no length
 * changes, this works for any encoding.
 */
final class ObjectTemplates {
    /** The namespace of the templates. Like each value below, it has the length of the values that replace it. */
    static final String NAMESPACE = "scale-tmp";

    static final String NODE = "bench-nnnn";
    static final String ZONE = "zone-z";
    static final String BLOCK = "qqqq";
    static final String REPLICA = "rrrrr";
    static final String UID = "uuuuuuuu-uuuu-uuuu-uuuu-uuuuuuuuuuuu";
    static final String TURN = "turn-tttttt";

    private static final String PODS = "/registry/pods/";
    private static final String REPLICA_SETS = "/registry/replicasets/";
    private static final String NODES = "/registry/minions/";

    private final KubernetesClient client;
    private final Etcd etcd;
    private final Map<WorkloadRole, String> pods = new EnumMap<>(WorkloadRole.class);
    private final Map<WorkloadRole, String> replicaSets = new EnumMap<>(WorkloadRole.class);
    private final String node;

    /**
     * @param client the client of a cluster whose controllers and scheduler have stopped
     */
    ObjectTemplates(KubernetesClient client, Etcd etcd) throws IOException, InterruptedException {
        this.client = client;
        this.etcd = etcd;
        this.node = template(NODES + NODE, yaml("node.yaml"), UID);
        for (WorkloadRole role : WorkloadRole.values()) {
            String name = NAMESPACE + "/" + role.label() + "-" + BLOCK + "-";
            String ownerUid = String.format(
                            Locale.ROOT,
                            "%08x-0000-4000-8000-00000000",
                            role.label().hashCode())
                    + BLOCK;
            String pod = yaml("pod.yaml")
                    .replace("RULES", role.rules(BLOCK))
                    .replace("LABELS", role.labels(BLOCK))
                    .replace("OWNER-UID", ownerUid)
                    .replace("ROLE", role.label());
            String replicaSet = yaml("replicaset.yaml")
                    .replace("REPLICAS", Integer.toString(role.replicas()))
                    .replace("ROLE", role.label());
            pods.put(role, template(PODS + name + REPLICA, pod, UID));
            replicaSets.put(role, template(REPLICA_SETS + name + "rs", replicaSet, ownerUid));
        }
    }

    private static String yaml(String file) throws IOException {
        try (InputStream text = Objects.requireNonNull(ObjectTemplates.class.getResourceAsStream(file))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Creates and deletes an object, and returns its bytes in etcd, one character for each, with another UID. */
    private String template(String key, String yaml, String uid) throws IOException, InterruptedException {
        HasMetadata wanted = client.getKubernetesSerialization().unmarshal(yaml);
        String created = client.resource(wanted).create().getMetadata().getUid();
        if (wanted instanceof Node) {
            // Without the taint that the node lifecycle controller removes from a ready node.
            client.resource(wanted).update();
        }
        client.resource(wanted).updateStatus();
        String bytes = new String(etcd.read(key), StandardCharsets.ISO_8859_1);
        client.resource(wanted).withGracePeriod(0).delete();
        return bytes.replace(created, uid);
    }

    /** {@return a write of a node} Its annotation has the number of its turn, a counter of the updates. */
    Etcd.Write node(int number, int turn) {
        String uid = String.format(Locale.ROOT, "%08x-0000-4000-9000-%012x", number, number);
        String name = PlacedPod.nodeName(number);
        return write(NODES + NODE, node, NODE, name, UID, uid, ZONE, PlacedPod.zone(number), TURN, turn(turn));
    }

    /** {@return a write of a pod} Its annotation has the number of its turn, a counter of the updates. */
    Etcd.Write pod(PlacedPod pod, String uid, int turn) {
        return write(
                PODS + NAMESPACE + "/" + pod.role().label() + "-" + BLOCK + "-" + REPLICA,
                Objects.requireNonNull(pods.get(pod.role())),
                UID,
                uid,
                NAMESPACE,
                pod.namespace(),
                NODE,
                pod.nodeName(),
                ZONE,
                pod.zone(),
                BLOCK,
                Integer.toString(pod.block()),
                REPLICA,
                String.format(Locale.ROOT, "%05d", pod.replica()),
                TURN,
                turn(turn));
    }

    /** {@return a write of the ReplicaSet that owns a pod} */
    Etcd.Write owner(PlacedPod pod) {
        return write(
                REPLICA_SETS + NAMESPACE + "/" + pod.role().label() + "-" + BLOCK + "-rs",
                Objects.requireNonNull(replicaSets.get(pod.role())),
                NAMESPACE,
                pod.namespace(),
                BLOCK,
                Integer.toString(pod.block()));
    }

    private static String turn(int turn) {
        return String.format(Locale.ROOT, "turn-%06d", turn);
    }

    /** {@return a write of the template with words replaced in its key and its bytes} */
    static Etcd.Write write(String key, String template, String... wordsAndOthers) {
        String otherKey = key;
        String object = template;
        for (int i = 0; i < wordsAndOthers.length; i += 2) {
            String word = wordsAndOthers[i];
            String other = wordsAndOthers[i + 1];
            if (word.length() != other.length() || !template.contains(word)) {
                throw new IllegalArgumentException(other + " cannot be written over " + word);
            }
            otherKey = otherKey.replace(word, other);
            object = object.replace(word, other);
        }
        return new Etcd.Write(otherKey, object.getBytes(StandardCharsets.ISO_8859_1));
    }
}
