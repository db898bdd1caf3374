package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.plan.input.Disturbance;
import dev.holdfast.policies.plan.input.RecentDisturbances;
import dev.holdfast.policies.plan.move.Workload;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** The changes of scale by workload, oldest first; the workload that changed last is at the end. */
    private final SequencedMap<Workload.Id, Deque<Scaled>> scales = new LinkedHashMap<>();

    /** The maximum number of changes of scale that are stored of one workload; of more, the oldest do not count. */
    private static final int MOST_SCALED = 100;

    /** The largest change of scale that each check counts; after a larger one, all changes of pods count. */
    private static final int MOST_SCALED_PODS = 1_000;

    /** A change of the desired number of pods: more of them, or fewer if it is negative. */
    private record Scaled(int more, Instant at) {
        boolean isOver(Instant now) {
            return !now.isBefore(at.plus(LONGEST));
        }
    }

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
     * Records disturbances that happened some time ago, by workload. If one of the same pod is recorded already, that
     * one stays.
     */
    public void noteEarlier(Map<Workload.Id, List<Disturbance>> earlier) {
        earlier.forEach((workload, disturbances) -> {
            Map<String, Disturbance> known = byWorkload.getOrDefault(workload, new LinkedHashMap<>());
            List<Disturbance> all = new ArrayList<>(known.values());
            disturbances.stream().filter(it -> !known.containsKey(it.podUid())).forEach(all::add);
            SequencedMap<String, Disturbance> pods = inOrder(all);
            byWorkload.put(workload, pods);
            Instant over = pods.firstEntry().getValue().at().plus(LONGEST);
            nextForgotten = over.isBefore(nextForgotten) ? over : nextForgotten;
        });
    }

    private static SequencedMap<String, Disturbance> inOrder(List<Disturbance> disturbances) {
        disturbances.sort(Comparator.comparing(Disturbance::at));
        SequencedMap<String, Disturbance> pods = new LinkedHashMap<>();
        disturbances.forEach(it -> pods.putLast(it.podUid(), it));
        return pods;
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

    /** Moves the disturbances of a workload to the one that owns it, {@code top}: for example to a Deployment. */
    public void belongsTo(Workload.Id workload, Workload.Id top) {
        if (workload.equals(top)) {
            return;
        }
        Optional.ofNullable(byWorkload.remove(workload)).ifPresent(pods -> {
            List<Disturbance> all = new ArrayList<>(pods.values());
            Optional.ofNullable(byWorkload.remove(top)).ifPresent(others -> all.addAll(others.values()));
            byWorkload.putLast(top, inOrder(all));
        });
    }

    /**
     * Records that the desired number of pods of a workload changed just now.
     *
     * @param more the change: negative if the number fell
     */
    public void scaled(Workload.Id workload, int more, Instant now) {
        if (more == 0) {
            return;
        }
        Deque<Scaled> changes = scales.computeIfAbsent(workload, _ -> new ArrayDeque<>());
        scales.putLast(workload, changes);
        changes.addLast(new Scaled(more, now));
        while (changes.size() > MOST_SCALED) {
            changes.removeFirst();
        }
    }

    @Override
    public boolean areOfScale(Workload workload, String exceptPodUid, int disregarded, Instant now) {
        long up = 0;
        long down = 0;
        for (Scaled one : scales.getOrDefault(workload.id(), new ArrayDeque<>())) {
            up += one.isOver(now) ? 0 : Math.max(0, one.more());
            down += one.isOver(now) ? 0 : Math.max(0, -one.more());
        }
        if (up + down > MOST_SCALED_PODS) {
            return false;
        }
        long created = 0;
        long deleted = 0;
        long unready = 0;
        SequencedMap<String, Disturbance> pods = byWorkload.getOrDefault(workload.id(), new LinkedHashMap<>());
        for (Disturbance one : pods.sequencedValues().reversed()) {
            if (isOver(one, now) || created + deleted + unready > up + down + disregarded) {
                break;
            }
            switch (one.what()) {
                case CREATED -> created++;
                case DELETED -> deleted++;
                case UNREADY -> unready += one.podUid().equals(exceptPodUid) ? 0 : 1;
            }
        }
        return Math.max(0, created - up) + Math.max(0, deleted - down) + unready <= disregarded;
    }

    /** Forgets the workloads without a disturbance or a change of scale in the last five minutes. */
    public void forget(Instant now) {
        while (!scales.isEmpty() && scales.firstEntry().getValue().getLast().isOver(now)) {
            scales.pollFirstEntry();
        }
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

    /** {@return the number of stored disturbances and changes of scale} */
    public int size() {
        return byWorkload.values().stream().mapToInt(SequencedMap::size).sum()
                + scales.values().stream().mapToInt(Deque::size).sum();
    }
}
