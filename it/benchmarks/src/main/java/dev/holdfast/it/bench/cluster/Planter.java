package dev.holdfast.it.bench.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commits changes to the cluster, one request at a time. */
public record Planter(Patches patches, InstantSource clock) {
    /** So many changes one after the other must have nothing to do with each other. */
    public static final int APART = Slot.OVERLAP + 2;

    private static final double NANOS = 1e9;

    /**
     * Breaks and heals all changes at a steady rate; each is healed some beats after it broke.
     *
     * @param perSecond halves of changes
     * @return in the order in which they were committed
     */
    public List<Planted> steadily(List<Change> changes, double perSecond) throws InterruptedException {
        List<Planted> planted = new ArrayList<>();
        Instant start = clock.instant();
        for (Slot slot : Slot.schedule(changes.size())) {
            waitUntil(start.plusNanos(Math.round(slot.at() / perSecond * NANOS)));
            planted.add(plant(slot.change(), changes.get(slot.change()), slot.step()));
        }
        return List.copyOf(planted);
    }

    private void waitUntil(Instant at) throws InterruptedException {
        Duration left = Duration.between(clock.instant(), at);
        if (left.isPositive()) {
            TimeUnit.NANOSECONDS.sleep(left.toNanos());
        }
    }

    /** Commits one half of a change. */
    public Planted plant(int number, Change change, Step step) {
        Instant sent = clock.instant();
        String version = patches.commit(change.target(), change.patch(step));
        return new Planted(number, change, step, sent, clock.instant(), version);
    }
}
