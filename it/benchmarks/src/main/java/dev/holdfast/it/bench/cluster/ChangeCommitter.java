package dev.holdfast.it.bench.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commits changes to the cluster, one request after the other. */
public record ChangeCommitter(Patches patches, InstantSource clock) {
    /** How many consecutive changes must be independent of each other. */
    public static final int APART = Slot.OVERLAP + 2;

    private static final double NANOS = 1e9;

    /**
     * Makes and reverts all changes at a steady rate; each is reverted a fixed number of beats after it was made.
     *
     * @param perSecond commits per second; each change has two
     * @return the commits in order
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

    /** Commits one step of a change. */
    public CommittedChange plant(int number, PlannedChange plannedChange, ChangeStep changeStep) {
        Instant sent = clock.instant();
        String version = patches.commit(plannedChange.target(), plannedChange.patch(changeStep));
        return new CommittedChange(number, plannedChange, changeStep, sent, clock.instant(), version);
    }
}
