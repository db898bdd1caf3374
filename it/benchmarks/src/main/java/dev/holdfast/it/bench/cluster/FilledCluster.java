package dev.holdfast.it.bench.cluster;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A cluster with more nodes and pods than controllers and a scheduler could create in time. The objects are made from
 * {@link ObjectTemplates} and written directly into etcd. Each pod is on a node where all its rules hold.
 */
public final class FilledCluster {
    private final int nodes;
    private final ObjectTemplates templates;
    private final List<PlacedPod> pods;
    private final List<PlacedPod> plain;

    private FilledCluster(int nodes, ObjectTemplates templates, List<PlacedPod> pods) {
        this.nodes = nodes;
        this.templates = templates;
        this.pods = pods;
        this.plain =
                pods.stream().filter(pod -> pod.role() == WorkloadRole.PLAIN).toList();
    }

    /** {@return the namespace selector that matches all namespaces of the bench, as YAML} */
    public static String namespaces() {
        return "{matchLabels: {bench: scale}}";
    }

    /** {@return the pod selector that matches the pods of one workload, one pod in each zone, as YAML} */
    public static String fewPods() {
        return "{matchLabels: {app: cache-" + PlacedPod.FIRST_BLOCK + "}}";
    }

    /**
     * Creates the namespace for the {@link ObjectTemplates}. The controller manager must still run then, because it
     * creates the ServiceAccount.
     */
    public static void prepare(KubernetesClient client) {
        create(client, ObjectTemplates.NAMESPACE);
        await("the service account of the templates")
                .until(() -> client.serviceAccounts()
                                .inNamespace(ObjectTemplates.NAMESPACE)
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
    public static FilledCluster fill(KubernetesClient client, Etcd etcd, int nodes, int pods)
            throws IOException, InterruptedException {
        List<PlacedPod> placed = PlacedPod.place(nodes, pods);
        ObjectTemplates templates = new ObjectTemplates(client, etcd);
        placed.stream().map(PlacedPod::namespace).distinct().forEach(it -> create(client, it));
        etcd.fill(nodes, i -> templates.node(1 + i, 0));
        List<PlacedPod> first =
                placed.stream().filter(pod -> pod.replica() == 0).toList();
        etcd.fill(first.size(), i -> templates.owner(first.get(i)));
        etcd.fill(pods, i -> templates.pod(placed.get(i), placed.get(i).uid(), 0));
        return new FilledCluster(nodes, templates, placed);
    }

    /** {@return the names of the nodes on which the pods with these UIDs run} */
    public Set<String> nodes(Set<String> uids) {
        return pods.stream()
                .filter(pod -> uids.contains(pod.uid()))
                .map(PlacedPod::nodeName)
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
    Etcd.Write touchPod(int number, int turn) {
        PlacedPod pod = pods.get(number % pods.size());
        return templates.pod(pod, pod.uid(), turn);
    }

    /** {@return a write that stands for a status update of a node: in fact only the value of an annotation changes} */
    Etcd.Write touchNode(int number, int turn) {
        return templates.node(1 + number % nodes, turn);
    }

    /** {@return a write that deletes a pod without rules} */
    Etcd.Write removePod(int number) {
        PlacedPod pod = plain.get(number % plain.size());
        return Etcd.Write.removing(templates.pod(pod, pod.uid(), 0).key());
    }

    /** {@return a write that creates another pod with the name of a deleted pod} */
    Etcd.Write replacePod(int number, int event) {
        PlacedPod pod = plain.get(number % plain.size());
        return templates.pod(pod, pod.uid(event), 0);
    }

    /** {@return the label changes that break rules, given where the pods run} */
    public PlannedChanges plannedChanges() {
        return new PlannedChanges(pods);
    }

    /** {@return the average size of all pods in protobuf, in bytes} */
    public double podBytes() {
        return pods.stream()
                .limit(PlacedPod.BLOCK)
                .mapToInt(pod -> templates.pod(pod, pod.uid(), 0).value().length)
                .average()
                .orElse(0);
    }
}
