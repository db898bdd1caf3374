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
 * What disturbed workloads within the last five minutes, by workload and pod: nothing of quiet workloads is kept, and of
 * each pod only the last. To note something or to ask for the last takes the same time however much is kept.
 */
public final class WorkloadDisturbances implements RecentDisturbances {
    /** By the workload's UID, the one disturbed last at the end; of each its pods by UID in the same order. */
    private final SequencedMap<String, SequencedMap<String, Disturbance>> byWorkload = new LinkedHashMap<>();

    /** Before this there is nothing to be forgotten. */
    private Instant nextForgotten = Instant.MAX;

    /** Notes what happened to a pod of a workload just now. */
    public void note(String workloadUid, Disturbance disturbance) {
        SequencedMap<String, Disturbance> pods = byWorkload.computeIfAbsent(workloadUid, _ -> new LinkedHashMap<>());
        byWorkload.putLast(workloadUid, pods);
        pods.putLast(disturbance.podUid(), disturbance);
        while (isOver(pods.firstEntry().getValue(), disturbance.at())) {
            pods.pollFirstEntry();
        }
        if (nextForgotten.equals(Instant.MAX)) {
            nextForgotten = disturbance.at().plus(LONGEST);
        }
    }

    /** Takes back what happened to a pod of a workload. */
    public void takeBack(String workloadUid, String podUid) {
        Optional.ofNullable(byWorkload.get(workloadUid)).ifPresent(pods -> {
            pods.remove(podUid);
            if (pods.isEmpty()) {
                byWorkload.remove(workloadUid);
            }
        });
    }

    /** Counts what happened to the pods of one workload for another: it turns out to belong to that. */
    public void belongsTo(String workloadUid, String topUid) {
        if (workloadUid.equals(topUid)) {
            return;
        }
        Optional.ofNullable(byWorkload.remove(workloadUid)).ifPresent(pods -> {
            List<Disturbance> all = new ArrayList<>(pods.values());
            Optional.ofNullable(byWorkload.remove(topUid)).ifPresent(others -> all.addAll(others.values()));
            all.sort(Comparator.comparing(Disturbance::at));
            SequencedMap<String, Disturbance> together = new LinkedHashMap<>();
            all.forEach(it -> together.putLast(it.podUid(), it));
            byWorkload.putLast(topUid, together);
        });
    }

    /** Forgets the workloads that have been quiet for long enough. */
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

    /** Of what happened at the same instant, that to the pod which comes first by UID. */
    @Override
    public Optional<Disturbance> last(Workload workload, String exceptPodUid) {
        SequencedMap<String, Disturbance> pods = byWorkload.get(workload.uid());
        if (pods == null) {
            return Optional.empty();
        }
        Optional<Disturbance> last = Optional.empty();
        for (Disturbance one : pods.sequencedValues().reversed()) {
            if (last.isPresent() && one.at().isBefore(last.get().at())) {
                break;
            }
            boolean first = last.isEmpty() || one.podUid().compareTo(last.get().podUid()) < 0;
            if (first && !one.podUid().equals(exceptPodUid)) {
                last = Optional.of(one);
            }
        }
        return last;
    }

    /** {@return how much is kept} */
    public int size() {
        return byWorkload.values().stream().mapToInt(SequencedMap::size).sum();
    }
}
