package dev.holdfast.it.bench.cluster;

import dev.holdfast.it.bench.cluster.Etcd.Write;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Many objects of a {@link HostileKind}. kube-apiserver admits the template, so it would admit each of them. They are
 * then written directly into etcd.
 */
public final class HostileObjects {
    private final HostileKind kind;
    private final Stencil stencil;
    private final Etcd etcd;
    private final int count;

    private HostileObjects(HostileKind kind, Stencil stencil, Etcd etcd, int count) {
        this.kind = kind;
        this.stencil = stencil;
        this.etcd = etcd;
        this.count = count;
    }

    /** Creates the namespace of the objects, whose pods the policy of the bench selects. */
    public static void prepare(KubernetesClient client) {
        FilledCluster.createForPods(client, HostileKind.NAMESPACE);
    }

    /** Creates and deletes the template through kube-apiserver. Writes no object yet. */
    public static HostileObjects of(HostileKind kind, KubernetesClient client, Etcd etcd, int count)
            throws InterruptedException {
        HasMetadata made = client.load(new ByteArrayInputStream(kind.json().getBytes(StandardCharsets.UTF_8)))
                .create()
                .getFirst();
        if (made instanceof Pod pod) {
            pod.setStatus(new PodStatusBuilder()
                    .withPhase("Running")
                    .withStartTime(pod.getMetadata().getCreationTimestamp())
                    .withConditions(new PodConditionBuilder()
                            .withType("Ready")
                            .withStatus("True")
                            .withLastTransitionTime(pod.getMetadata().getCreationTimestamp())
                            .build())
                    .build());
            made = client.resource(pod).updateStatus();
        }
        byte[] stored = new RawReads(client).get(kind.path(), kind.encoding());
        client.resource(made).withGracePeriod(0).delete();
        List<String> words = List.of(HostileKind.NAME, made.getMetadata().getUid(), HostileKind.TURN);
        return new HostileObjects(kind, Stencil.of(stored, words), etcd, count);
    }

    /** {@return the size of each object in etcd, in bytes} */
    public int size() {
        return stencil.size();
    }

    /** Writes all objects. */
    public void create() {
        etcd.fill(IntStream.range(0, count).mapToObj(i -> write(i, 0)).iterator());
    }

    /** Writes one object again, as a new revision. */
    public void touch(int turn) throws IOException, InterruptedException {
        etcd.commit(List.of(write(turn % count, turn)));
    }

    /** Deletes all objects, and frees their space in etcd. */
    public void delete() throws IOException, InterruptedException {
        etcd.fill(IntStream.range(0, count)
                .mapToObj(i -> Write.removing(kind.key(name(i))))
                .iterator());
        etcd.compact();
    }

    private Write write(int number, int turn) {
        String uid = String.format(Locale.ROOT, "%08x-0000-4000-a000-%012x", number, number);
        return new Write(
                kind.key(name(number)),
                stencil.with(List.of(name(number), uid, String.format(Locale.ROOT, "turn-%06d", turn))));
    }

    private static String name(int number) {
        return String.format(Locale.ROOT, "hostile-%06d", number);
    }
}
