package dev.holdfast.it.bench.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sender of label changes to the API server, one request after the other. */
public record ChangeCommitter(Patches patches, InstantSource clock) {
    /**
     * How many consecutive changes must be independent (relabel different objects and break different rules), as they
     * may be in effect at the same time.
     */
    public static final int APART = Slot.OVERLAP + 2;

    private static final double NANOS = 1e9;

    /**
     * Makes and reverts all label changes at a steady rate. Each change stays in effect while a few later ones are
     * made, and is then reverted.
     *
     * @param perSecond requests per second; each change takes two, one to make it and one to revert it
     * @return the accepted requests, in order
     */
    public List<CommittedChange> steadily(List<PlannedChange> plannedChanges, double perSecond)
            throws InterruptedException {
        List<CommittedChange> committedChange = new ArrayList<>();
        Instant start = clock.instant();
        for (Slot slot : Slot.schedule(plannedChanges.size())) {
            waitUntil(start.plusNanos(Math.round(slot.at() / perSecond * NANOS)));
            committedChange.add(plant(slot.change(), plannedChanges.get(slot.change()), slot.changeStep()));
        }
        return List.copyOf(committedChange);
    }

    private void waitUntil(Instant at) throws InterruptedException {
        Duration left = Duration.between(clock.instant(), at);
        if (left.isPositive()) {
            TimeUnit.NANOSECONDS.sleep(left.toNanos());
        }
    }

    /** Makes or reverts one label change. */
    public CommittedChange plant(int number, PlannedChange plannedChange, ChangeStep changeStep) {
        Instant sent = clock.instant();
        String version = patches.commit(plannedChange.target(), plannedChange.patch(changeStep));
        return new CommittedChange(number, plannedChange, changeStep, sent, clock.instant(), version);
    }
}
