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
 * A cluster with more nodes and pods than controllers and a scheduler could create in time. The objects are made from a
 * few {@link TemplateObjects templates} and written directly into etcd. Each pod is on a node where all its rules hold.
 * Workloads form blocks, each with one workload for each {@link WorkloadRole}. At most ten blocks share a namespace.
 */
public final class FilledCluster {
    private static final String PODS = "/registry/pods/";
    private static final String NODES = "/registry/minions/";
    private static final String REPLICA_SETS = "/registry/replicasets/";
    private static final int BLOCKS_A_NAMESPACE = 10;
    private static final int TURN_DIGITS = 6;

    /**
     * Added to the number of each block (a group of workloads), so that all numbers have four digits: 1001, 1002 and so
     * on.
     */
    private static final int BEFORE_FIRST_BLOCK = 1_000;

    private final Layout layout;
    private final Stencil node;
    private final Map<WorkloadRole, Stencil> pods = new EnumMap<>(WorkloadRole.class);
    private final List<PlacedPod> placedPod;
    private final List<PlacedPod> plain;

    private FilledCluster(Layout layout, Stencil node, List<PlacedPod> placedPod) {
        this.layout = layout;
        this.node = node;
        this.placedPod = placedPod;
        this.plain = placedPod.stream()
                .filter(pod -> pod.workloadRole() == WorkloadRole.PLAIN)
                .toList();
    }

    /** {@return the namespace selector that matches all namespaces of the bench, as YAML} */
    public static String namespaces() {
        return "{matchLabels: {bench: scale}}";
    }

    /** {@return the pod selector that matches the pods of one workload, one pod in each zone, as YAML} */
    public static String fewPods() {
        return "{matchLabels: {app: " + new BenchDeployment(WorkloadRole.CACHE, BEFORE_FIRST_BLOCK + 1, 0).name()
                + "}}";
    }

    /**
     * Creates the namespace for the {@link TemplateObjects templates}. The controller manager must still run then,
     * because it creates the ServiceAccount.
     */
    public static void prepare(KubernetesClient client) {
        createForPods(client, TemplateObjects.NAMESPACE);
    }

    /** Creates a namespace, and waits until pods can be created in it. */
    static void createForPods(KubernetesClient client, String namespace) {
        create(client, namespace);
        await("the service account of " + namespace)
                .until(() -> client.serviceAccounts()
                                .inNamespace(namespace)
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
     * Creates the templates, writes all nodes and pods into etcd, and returns the cluster. Of the control plane, only
     * kube-apiserver and etcd may run.
     *
     * @param etcd the client to write with; it is not closed here
     */
    public static FilledCluster fill(KubernetesClient client, Etcd etcd, Layout layout, long seed)
            throws InterruptedException {
        TemplateObjects templateObjects = new TemplateObjects(client);
        List<BenchDeployment> benchDeployments = workloads(layout);
        FilledCluster cluster = new FilledCluster(layout, templateObjects.node(), placed(layout, seed));
        Map<WorkloadRole, Stencil> owners = new EnumMap<>(WorkloadRole.class);
        for (WorkloadRole workloadRole : WorkloadRole.values()) {
            cluster.pods.put(workloadRole, templateObjects.pod(workloadRole));
        }
        for (BenchDeployment benchDeployment : benchDeployments) {
            if (!owners.containsKey(benchDeployment.workloadRole())) {
                owners.put(
                        benchDeployment.workloadRole(),
                        templateObjects.replicaSet(benchDeployment.workloadRole(), benchDeployment.replicas()));
            }
        }
        benchDeployments.stream().map(it -> namespace(it.block())).distinct().forEach(it -> create(client, it));
        etcd.fill(IntStream.rangeClosed(1, layout.nodes())
                .mapToObj(number -> cluster.node(number, TemplateObjects.TURN))
                .iterator());
        etcd.fill(benchDeployments.stream()
                .map(it -> owner(Objects.requireNonNull(owners.get(it.workloadRole())), it))
                .iterator());
        Iterator<Write> all = cluster.placedPod.stream()
                .map(pod -> cluster.pod(pod, TemplateObjects.TURN))
                .iterator();
        etcd.fill(all);
        return cluster;
    }

    private static List<BenchDeployment> workloads(Layout layout) {
        return layout.benchDeployments().stream()
                .map(it -> new BenchDeployment(it.workloadRole(), BEFORE_FIRST_BLOCK + it.block(), it.replicas()))
                .toList();
    }

    private static String namespace(int block) {
        return String.format(Locale.ROOT, "scale-%03d", (block - BEFORE_FIRST_BLOCK) / BLOCKS_A_NAMESPACE);
    }

    /**
     * {@return a node for each pod} The replicas of a workload go to the zones in turn, and in each zone to consecutive
     * nodes, starting at a random one. No node gets two pods of one workload.
     */
    static List<PlacedPod> placed(Layout layout, long seed) {
        Random random = new Random(seed);
        List<PlacedPod> placedPod = new ArrayList<>();
        for (BenchDeployment benchDeployment : workloads(layout)) {
            int first = random.nextInt(layout.nodes());
            for (int replica = 0; replica < benchDeployment.replicas(); replica++) {
                int zone = (replica + benchDeployment.block()) % layout.zones();
                int node = nodeOf(layout, zone, first + replica / layout.zones());
                placedPod.add(new PlacedPod(
                        namespace(benchDeployment.block()),
                        TemplateObjects.pod(benchDeployment.workloadRole(), benchDeployment.block(), replica),
                        uid(benchDeployment, replica),
                        benchDeployment.workloadRole(),
                        benchDeployment.block(),
                        Layout.node(node),
                        layout.zone(node)));
            }
        }
        return List.copyOf(placedPod);
    }

    /**
     * {@return the number of a node in a zone} Count 0 gives the first node of the zone, 1 the next; after the last
     * comes the first again.
     */
    private static int nodeOf(Layout layout, int zone, int count) {
        int first = zone == 0 ? layout.zones() : zone;
        int ofZone = (layout.nodes() - first) / layout.zones() + 1;
        return first + count % ofZone * layout.zones();
    }

    private static String uid(BenchDeployment benchDeployment, int replica) {
        return String.format(
                Locale.ROOT,
                "%08x-%04d-4000-8000-%06x000000",
                benchDeployment.workloadRole().label().hashCode(),
                benchDeployment.block(),
                replica);
    }

    private Write node(int number, String turn) {
        String name = Layout.node(number);
        String uid = String.format(Locale.ROOT, "%08x-0000-4000-9000-%012x", number, number);
        return new Write(NODES + name, node.with(List.of(name, uid, layout.zone(number), turn)));
    }

    private Write pod(PlacedPod pod, String turn) {
        Stencil stencil = Objects.requireNonNull(pods.get(pod.workloadRole()));
        byte[] bytes = stencil.with(List.of(
                pod.name(), pod.uid(), pod.namespace(), pod.node(), pod.zone(), Integer.toString(pod.block()), turn));
        return new Write(key(pod), bytes);
    }

    private static String key(PlacedPod pod) {
        return PODS + pod.namespace() + "/" + pod.name();
    }

    private static Write owner(Stencil stencil, BenchDeployment benchDeployment) {
        String namespace = namespace(benchDeployment.block());
        String block = Integer.toString(benchDeployment.block());
        String uid = TemplateObjects.ownerUid(benchDeployment.workloadRole(), benchDeployment.block());
        String key = REPLICA_SETS + namespace + "/"
                + TemplateObjects.owner(benchDeployment.workloadRole(), benchDeployment.block());
        return new Write(key, stencil.with(List.of(uid, namespace, block)));
    }

    /** {@return the names of the nodes on which the pods with these UIDs run} */
    public Set<String> nodes(Set<String> uids) {
        return placedPod.stream()
                .filter(pod -> uids.contains(pod.uid()))
                .map(PlacedPod::node)
                .collect(Collectors.toSet());
    }

    /**
     * Writes one pod into etcd once more, as a new revision. Call this while kube-apiserver is stopped: when it is
     * back, all watches have expired.
     */
    public void touchOne(Etcd etcd) throws IOException, InterruptedException {
        // The first pod is none of the plain pods, whose labels a bench may have changed.
        etcd.commit(List.of(touchPod(0, 1)));
    }

    /** {@return a write that stands for a status update of a pod: in fact only the value of an annotation changes} */
    Write touchPod(int number, int turn) {
        return pod(placedPod.get(number % placedPod.size()), turn(turn));
    }

    /** {@return a write that stands for a status update of a node: in fact only the value of an annotation changes} */
    Write touchNode(int number, int turn) {
        return node(1 + number % layout.nodes(), turn(turn));
    }

    /** {@return a write that deletes a pod without rules} */
    Write removePod(int number) {
        return Write.removing(key(plain(number)));
    }

    /** {@return a write that creates another pod with the name of a deleted pod} */
    Write replacePod(int number, int turn) {
        PlacedPod before = plain(number);
        String uid = before.uid().substring(0, before.uid().length() - TURN_DIGITS)
                + String.format(Locale.ROOT, "%06d", turn);
        return pod(
                new PlacedPod(
                        before.namespace(),
                        before.name(),
                        uid,
                        before.workloadRole(),
                        before.block(),
                        before.node(),
                        before.zone()),
                TemplateObjects.TURN);
    }

    private PlacedPod plain(int number) {
        return plain.get(number % plain.size());
    }

    private static String turn(int turn) {
        return String.format(Locale.ROOT, "turn-%06d", turn);
    }

    /** {@return the label changes that break rules, given where the pods run} */
    public PlannedChanges plannedChanges() {
        return PlannedChanges.of(placedPod);
    }

    /** {@return the average size of all pods in protobuf, in bytes} */
    public double podBytes() {
        return placedPod.stream()
                .mapToInt(pod ->
                        Objects.requireNonNull(pods.get(pod.workloadRole())).size())
                .average()
                .orElse(0);
    }
}
