package dev.holdfast.it.bench.cluster;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.cluster.Etcd.Write;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Nodes and pods in numbers for which no controllers and no scheduler would be waited: written straight into etcd after a
 * few {@link Originals originals}, ten blocks of workloads a namespace, each pod where all rules hold.
 */
public final class FilledCluster {
    private static final String PODS = "/registry/pods/";
    private static final String NODES = "/registry/minions/";
    private static final String REPLICA_SETS = "/registry/replicasets/";
    private static final int BLOCKS_A_NAMESPACE = 10;
    private static final int TURN_DIGITS = 6;

    /** So that every block has four digits. */
    private static final int BEFORE_FIRST_BLOCK = 1_000;

    private final Layout layout;
    private final Stencil node;
    private final Map<Role, Stencil> pods = new EnumMap<>(Role.class);
    private final List<Placed> placed;
    private final List<Placed> plain;

    private FilledCluster(Layout layout, Stencil node, List<Placed> placed) {
        this.layout = layout;
        this.node = node;
        this.placed = placed;
        this.plain = placed.stream().filter(pod -> pod.role() == Role.PLAIN).toList();
    }

    /** {@return the selector by which a policy finds the namespaces, as YAML} */
    public static String namespaces() {
        return "{matchLabels: {bench: scale}}";
    }

    /** Creates the namespace of the originals, which needs a controller that still runs. */
    public static void prepare(KubernetesClient client) {
        create(client, Originals.NAMESPACE);
        await("the service account of " + Originals.NAMESPACE)
                .until(() -> client.serviceAccounts()
                                .inNamespace(Originals.NAMESPACE)
                                .withName("default")
                                .get()
                        != null);
    }

    private static void create(KubernetesClient client, String namespace) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .addToLabels("bench", "scale")
                        .endMetadata()
                        .build())
                .create();
    }

    /**
     * {@return the cluster, filled} Nobody but kube-apiserver and etcd may run.
     *
     * @param etcd stays open as long as the cluster is used
     */
    public static FilledCluster fill(KubernetesClient client, Etcd etcd, Layout layout, long seed)
            throws InterruptedException {
        Originals originals = new Originals(client);
        List<Workload> workloads = workloads(layout);
        FilledCluster cluster = new FilledCluster(layout, originals.node(), placed(layout, seed));
        Map<Role, Stencil> owners = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            cluster.pods.put(role, originals.pod(role));
        }
        for (Workload workload : workloads) {
            if (!owners.containsKey(workload.role())) {
                owners.put(workload.role(), originals.replicaSet(workload.role(), workload.replicas()));
            }
        }
        workloads.stream().map(it -> namespace(it.block())).distinct().forEach(it -> create(client, it));
        etcd.fill(IntStream.rangeClosed(1, layout.nodes())
                .mapToObj(number -> cluster.node(number, Originals.TURN))
                .iterator());
        etcd.fill(workloads.stream()
                .map(it -> owner(Objects.requireNonNull(owners.get(it.role())), it))
                .iterator());
        Iterator<Write> all = cluster.placed.stream()
                .map(pod -> cluster.pod(pod, Originals.TURN))
                .iterator();
        etcd.fill(all);
        return cluster;
    }

    private static List<Workload> workloads(Layout layout) {
        return layout.workloads().stream()
                .map(it -> new Workload(it.role(), BEFORE_FIRST_BLOCK + it.block(), it.replicas()))
                .toList();
    }

    private static String namespace(int block) {
        return String.format(Locale.ROOT, "scale-%03d", (block - BEFORE_FIRST_BLOCK) / BLOCKS_A_NAMESPACE);
    }

    /** Zones are dealt out in turns, and nodes of a zone from a random one on: a workload has no two pods on one. */
    static List<Placed> placed(Layout layout, long seed) {
        Random random = new Random(seed);
        List<Placed> placed = new ArrayList<>();
        for (Workload workload : workloads(layout)) {
            int first = random.nextInt(layout.nodes());
            for (int replica = 0; replica < workload.replicas(); replica++) {
                int zone = (replica + workload.block()) % layout.zones();
                int node = nodeOf(layout, zone, first + replica / layout.zones());
                placed.add(new Placed(
                        namespace(workload.block()),
                        Originals.pod(workload.role(), workload.block(), replica),
                        uid(workload, replica),
                        workload.role(),
                        workload.block(),
                        Layout.node(node),
                        layout.zone(node)));
            }
        }
        return List.copyOf(placed);
    }

    /** {@return one of the nodes of a zone, which are counted round and round} */
    private static int nodeOf(Layout layout, int zone, int count) {
        int first = zone == 0 ? layout.zones() : zone;
        int ofZone = (layout.nodes() - first) / layout.zones() + 1;
        return first + count % ofZone * layout.zones();
    }

    private static String uid(Workload workload, int replica) {
        return String.format(
                Locale.ROOT,
                "%08x-%04d-4000-8000-%06x000000",
                workload.role().label().hashCode(),
                workload.block(),
                replica);
    }

    private Write node(int number, String turn) {
        String name = Layout.node(number);
        String uid = String.format(Locale.ROOT, "%08x-0000-4000-9000-%012x", number, number);
        return new Write(NODES + name, node.with(List.of(name, uid, layout.zone(number), turn)));
    }

    private Write pod(Placed pod, String turn) {
        Stencil stencil = Objects.requireNonNull(pods.get(pod.role()));
        byte[] bytes = stencil.with(List.of(
                pod.name(), pod.uid(), pod.namespace(), pod.node(), pod.zone(), Integer.toString(pod.block()), turn));
        return new Write(key(pod), bytes);
    }

    private static String key(Placed pod) {
        return PODS + pod.namespace() + "/" + pod.name();
    }

    private static Write owner(Stencil stencil, Workload workload) {
        String namespace = namespace(workload.block());
        String block = Integer.toString(workload.block());
        String uid = Originals.ownerUid(workload.role(), workload.block());
        String key = REPLICA_SETS + namespace + "/" + Originals.owner(workload.role(), workload.block());
        return new Write(key, stencil.with(List.of(uid, namespace, block)));
    }

    /** {@return the nodes on which pods with these uids run} */
    public Set<String> nodes(Set<String> uids) {
        return placed.stream()
                .filter(pod -> uids.contains(pod.uid()))
                .map(Placed::node)
                .collect(Collectors.toSet());
    }

    /** Writes one pod and one node anew. */
    public void touchOne(Etcd etcd) throws IOException, InterruptedException {
        // Plain pods may be relabelled, to break the rules of others: the first pod of a cluster is none.
        etcd.commit(List.of(touchPod(0, 1)));
    }

    /** {@return what writes a pod anew, as when its status changes: another annotation, nothing else} */
    Write touchPod(int number, int turn) {
        return pod(placed.get(number % placed.size()), turn(turn));
    }

    /** {@return what writes a node anew, as when it reports its status} */
    Write touchNode(int number, int turn) {
        return node(1 + number % layout.nodes(), turn(turn));
    }

    /** {@return what removes a pod that demands nothing} */
    Write removePod(int number) {
        return Write.removing(key(plain(number)));
    }

    /** {@return what puts another pod in the place of a removed one, under its name} */
    Write replacePod(int number, int turn) {
        Placed before = plain(number);
        String uid = before.uid().substring(0, before.uid().length() - TURN_DIGITS)
                + String.format(Locale.ROOT, "%06d", turn);
        return pod(
                new Placed(
                        before.namespace(),
                        before.name(),
                        uid,
                        before.role(),
                        before.block(),
                        before.node(),
                        before.zone()),
                Originals.TURN);
    }

    private Placed plain(int number) {
        return plain.get(number % plain.size());
    }

    private static String turn(int turn) {
        return String.format(Locale.ROOT, "turn-%06d", turn);
    }

    /** {@return the changes that the pods' places allow} */
    public Changes changes() {
        return Changes.of(placed);
    }

    /** {@return how many bytes a pod has in protobuf, on average over the roles} */
    public double podBytes() {
        return placed.stream()
                .mapToInt(pod -> Objects.requireNonNull(pods.get(pod.role())).size())
                .average()
                .orElse(0);
    }
}
