package dev.holdfast.operator.offline.check;

import java.util.Comparator;

/**
 * A workload, which creates pods.
 *
 * @param kind Deployment, StatefulSet or another kind; Pod for a pod without a controller
 */
public record Workload(String namespace, String kind, String name) implements Comparable<Workload> {
    private static final Comparator<Workload> ORDER = Comparator.comparing(Workload::namespace)
            .thenComparing(Workload::name)
            .thenComparing(Workload::kind);

    @Override
    public int compareTo(Workload other) {
        return ORDER.compare(this, other);
    }
}
