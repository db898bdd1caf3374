package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.plan.situation.Disturbance;
import dev.holdfast.policies.plan.situation.RecentDisturbances;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The disturbances of workloads within the last five minutes: a pod was created, deleted or turned unready. Only the
 * last disturbance of each pod is stored. Adding a disturbance and finding the last one take constant time.
 */
public final class WorkloadDisturbances implements RecentDisturbances {
    private static final Comparator<Disturbance> LATEST_FIRST =
            Comparator.comparing(Disturbance::at).reversed().thenComparing(Disturbance::podUid);

    /** Disturbances by workload, then by pod UID; in both maps the latest disturbance is at the end. */
    private final SequencedMap<Workload.Id, SequencedMap<String, Disturbance>> byWorkload = new LinkedHashMap<>();

    /** Before this instant, {@link #forget} finds nothing to forget. */
    private Instant nextForgotten = Instant.MAX;

    /** Records a disturbance of a workload that just happened. */
    public void note(Workload.Id workload, Disturbance disturbance) {
        SequencedMap<String, Disturbance> pods = byWorkload.computeIfAbsent(workload, _ -> new LinkedHashMap<>());
        byWorkload.putLast(workload, pods);
        pods.putLast(disturbance.podUid(), disturbance);
        while (isOver(pods.firstEntry().getValue(), disturbance.at())) {
            pods.pollFirstEntry();
        }
        if (nextForgotten.equals(Instant.MAX)) {
            nextForgotten = disturbance.at().plus(LONGEST);
        }
    }

    /**
     * Records a disturbance of a workload that happened some time ago, unless one of the same pod is recorded already.
     */
    public void noteEarlier(Workload.Id workload, Disturbance disturbance) {
        SequencedMap<String, Disturbance> known = byWorkload.getOrDefault(workload, new LinkedHashMap<>());
        if (known.containsKey(disturbance.podUid())) {
            return;
        }
        List<Disturbance> all = new ArrayList<>(known.values());
        all.add(disturbance);
        all.sort(Comparator.comparing(Disturbance::at));
        SequencedMap<String, Disturbance> sorted = new LinkedHashMap<>();
        all.forEach(it -> sorted.putLast(it.podUid(), it));
        byWorkload.put(workload, sorted);
        Instant over = disturbance.at().plus(LONGEST);
        nextForgotten = over.isBefore(nextForgotten) ? over : nextForgotten;
    }

    /**
     * Removes the disturbance recorded when a pod was created: the pod turned out to be the replacement of a move,
     * which is no disturbance.
     */
    public void takeBack(Workload.Id workload, String podUid) {
        Optional.ofNullable(byWorkload.get(workload)).ifPresent(pods -> {
            pods.remove(podUid);
            if (pods.isEmpty()) {
                byWorkload.remove(workload);
            }
        });
    }

    /**
     * Moves the disturbances of one workload to the workload that turns out to own it, for example from a ReplicaSet to
     * its Deployment.
     *
     * @param top the owning workload
     */
    public void belongsTo(Workload.Id workload, Workload.Id top) {
        if (workload.equals(top)) {
            return;
        }
        Optional.ofNullable(byWorkload.remove(workload)).ifPresent(pods -> {
            List<Disturbance> all = new ArrayList<>(pods.values());
            Optional.ofNullable(byWorkload.remove(top)).ifPresent(others -> all.addAll(others.values()));
            all.sort(Comparator.comparing(Disturbance::at));
            SequencedMap<String, Disturbance> together = new LinkedHashMap<>();
            all.forEach(it -> together.putLast(it.podUid(), it));
            byWorkload.putLast(top, together);
        });
    }

    /** Forgets the workloads without a disturbance in the last five minutes. */
    public void forget(Instant now) {
        if (now.isBefore(nextForgotten)) {
            return;
        }
        while (!byWorkload.isEmpty() && isOver(lastOfFirst(), now)) {
            byWorkload.pollFirstEntry();
        }
        nextForgotten = byWorkload.isEmpty() ? Instant.MAX : lastOfFirst().at().plus(LONGEST);
    }

    private Disturbance lastOfFirst() {
        return byWorkload.firstEntry().getValue().lastEntry().getValue();
    }

    private static boolean isOver(Disturbance disturbance, Instant now) {
        return !now.isBefore(disturbance.at().plus(LONGEST));
    }

    /** {@inheritDoc} Of several disturbances at the same instant, the one of the first pod by UID is the last. */
    @Override
    public Optional<Disturbance> last(Workload workload, String exceptPodUid, int disregarded) {
        SequencedMap<String, Disturbance> pods = byWorkload.get(workload.id());
        if (pods == null) {
            return Optional.empty();
        }
        List<Disturbance> latest = new ArrayList<>();
        for (Disturbance one : pods.sequencedValues().reversed()) {
            if (latest.size() > disregarded
                    && one.at().isBefore(latest.getLast().at())) {
                break;
            }
            if (!one.podUid().equals(exceptPodUid)) {
                latest.add(one);
            }
        }
        return latest.stream().sorted(LATEST_FIRST).skip(disregarded).findFirst();
    }

    /** {@return the number of stored disturbances} */
    public int size() {
        return byWorkload.values().stream().mapToInt(SequencedMap::size).sum();
    }
}
