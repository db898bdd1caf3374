package dev.holdfast.it.bench.cluster;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Generator of the normal events of a cluster, which break no rule: status updates of nodes and pods. One pod event in
 * ten deletes a pod or creates its replacement.
 */
public final class Churn {
    private static final Duration BEAT = Duration.ofMillis(50);
    private static final int TEN = 10;
    private static final int HALF = 5;
    private static final double NANOS = 1e9;

    private final FilledCluster cluster;
    private final Etcd etcd;
    private final InstantSource clock;
    private final Random random = new Random(1);
    private int podEvents;
    private int nodeEvents;
    private int removed;

    /**
     * Creates a generator for a cluster whose pods and nodes have their original labels, because each status update
     * writes these again.
     */
    public Churn(FilledCluster cluster, Etcd etcd, InstantSource clock) {
        this.cluster = cluster;
        this.etcd = etcd;
        this.clock = clock;
    }

    /** Writes events to etcd at these rates for the given time. */
    public void run(double podsPerSecond, double nodesPerSecond, Duration length)
            throws IOException, InterruptedException {
        Instant start = clock.instant();
        int podsBefore = podEvents;
        int nodesBefore = nodeEvents;
        for (Duration at = BEAT; at.compareTo(length) <= 0; at = at.plus(BEAT)) {
            wait(start.plus(at));
            double seconds = at.toNanos() / NANOS;
            List<Etcd.Write> writes = new ArrayList<>();
            while (podEvents - podsBefore < Math.floor(podsPerSecond * seconds)) {
                writes.add(nextOfPod());
            }
            while (nodeEvents - nodesBefore < Math.floor(nodesPerSecond * seconds)) {
                writes.add(cluster.touchNode(random.nextInt(Integer.MAX_VALUE), ++nodeEvents));
            }
            if (!writes.isEmpty()) {
                etcd.commit(writes);
            }
        }
        if (podEvents % TEN < HALF) {
            etcd.commit(List.of(cluster.replacePod(removed, ++podEvents)));
        }
    }

    private Etcd.Write nextOfPod() {
        int event = podEvents++;
        return switch (event % TEN) {
            case 0 -> {
                removed = random.nextInt(Integer.MAX_VALUE);
                yield cluster.removePod(removed);
            }
            case HALF -> cluster.replacePod(removed, event);
            default -> cluster.touchPod(random.nextInt(Integer.MAX_VALUE), event);
        };
    }

    private void wait(Instant until) throws InterruptedException {
        Duration left = Duration.between(clock.instant(), until);
        if (left.isPositive()) {
            TimeUnit.NANOSECONDS.sleep(left.toNanos());
        }
    }
}
