package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Counts the pods of workloads. The first query for a namespace counts the pods of all its workloads, and one plan
 * reuses these counts.
 */
public final class ReplicaCounts {
    /** The maximum number of pods that are not Ready in a message. */
    private static final int NAMED = 3;

    private final ClusterView view;
    private final Set<String> counted = new HashSet<>();
    private final Map<Workload, Count> byWorkload = new HashMap<>();

    /** The ordinals of the Ready pods of StatefulSets, by the UID of the StatefulSet. */
    private final Map<String, BitSet> readyOrdinals = new HashMap<>();

    /**
     * The pods of one workload.
     *
     * @param all its pods, without finished and terminating ones
     * @param ready those of them that are Ready
     * @param desired the number of pods that it should have: the sum of {@code spec.replicas} over its controllers, for
     *     example all ReplicaSets of a Deployment. For a controller without that field, its existing pods count,
     *     terminating ones included
     * @param controllers the number of its controllers whose {@code spec.replicas} is not 0
     * @param notReady the names of the first {@value #NAMED} of its pods that are neither Ready nor terminating, in
     *     order
     */
    private record Count(int all, int ready, long desired, int controllers, List<String> notReady) {
        static final Count NONE = new Count(0, 0, 0, 0, List.of());

        Count and(Count more) {
            return new Count(
                    all + more.all,
                    ready + more.ready,
                    desired + more.desired,
                    controllers + more.controllers,
                    first(notReady, more.notReady));
        }

        private static List<String> first(List<String> one, List<String> more) {
            if (one.isEmpty()) {
                return more;
            }
            return more.isEmpty()
                    ? one
                    : Stream.concat(one.stream(), more.stream())
                            .sorted()
                            .limit(NAMED)
                            .toList();
        }
    }

    /** Creates the counts of the pods in this view; each is computed when a query needs it. */
    public ReplicaCounts(ClusterView view) {
        this.view = view;
    }

    /** {@return the number of pods of the workload, without finished and terminating ones} */
    public int all(Workload workload) {
        return count(workload).all();
    }

    /** {@return the number of pods of the workload that are Ready, without finished and terminating ones} */
    public int ready(Workload workload) {
        return count(workload).ready();
    }

    /**
     * {@return the pods of the workload that are neither Ready nor terminating, as text:
     * {@code web-1, web-2, web-3 and 4 more}; empty if there are none}
     */
    public String notReady(Workload workload) {
        Count count = count(workload);
        int more = count.all() - count.ready() - count.notReady().size();
        return String.join(", ", count.notReady()) + (more > 0 ? " and " + more + " more" : "");
    }

    /**
     * {@return the number of pods that the workload should have} The number is the sum of {@code spec.replicas} over
     * its controllers. For a controller without that field, such as a Job, the existing pods count.
     */
    public long desired(Workload workload) {
        return count(workload).desired();
    }

    /**
     * {@return whether one controller alone has the workload's pods, and their number is known} False while two
     * ReplicaSets of a Deployment have pods, as during a roll-out.
     */
    public boolean hasOneController(Workload workload) {
        return count(workload).controllers() == 1;
    }

    /**
     * {@return the lowest ordinal, from the first one on, without a Ready pod of the StatefulSet that is not
     * terminating}
     */
    public int firstNotReady(Owner statefulSet) {
        countIn(statefulSet.name().namespace());
        return readyOrdinals
                .getOrDefault(statefulSet.uid(), new BitSet())
                .nextClearBit(statefulSet
                        .revisions()
                        .map(StatefulSetRevisions::firstOrdinal)
                        .orElse(0));
    }

    /** {@return whether the pod is now Ready, and neither finished nor terminating; false if it is gone} */
    public boolean isReady(Pod pod) {
        return view.pod(pod.uid())
                .filter(now ->
                        !now.terminating() && !now.finished() && now.life().ready())
                .isPresent();
    }

    private Count count(Workload asked) {
        countIn(asked.name().namespace());
        return byWorkload.getOrDefault(asked, Count.NONE);
    }

    private void countIn(String namespace) {
        if (counted.add(namespace)) {
            for (Pod pod : view.podsIn(namespace)) {
                if (!pod.finished()) {
                    countOrdinal(pod);
                    Workload.of(pod, view).ifPresent(workload -> byWorkload.merge(workload, count(pod), Count::and));
                }
            }
            for (Owner owner : view.ownersIn(namespace)) {
                int replicas = owner.directReplicas();
                // Old revisions of a Deployment want none.
                if (replicas > 0) {
                    byWorkload.merge(Workload.of(owner, view), new Count(0, 0, replicas, 1, List.of()), Count::and);
                }
            }
        }
    }

    private void countOrdinal(Pod pod) {
        OptionalInt ordinal = StatefulSetRevisions.ordinal(pod);
        if (ordinal.isPresent() && pod.ready() && !pod.terminating()) {
            readyOrdinals
                    .computeIfAbsent(
                            pod.victimProtection().controller().orElseThrow().uid(), _ -> new BitSet())
                    .set(ordinal.getAsInt());
        }
    }

    private Count count(Pod pod) {
        int desired = saysANumber(pod) ? 0 : 1;
        if (pod.terminating()) {
            return new Count(0, 0, desired, 0, List.of());
        }
        return pod.life().ready()
                ? new Count(1, 1, desired, 0, List.of())
                : new Count(1, 0, desired, 0, List.of(pod.name().name()));
    }

    private boolean saysANumber(Pod pod) {
        return pod.victimProtection()
                .controller()
                .flatMap(controller -> view.owner(pod.namespace(), controller.uid()))
                .map(Owner::replicas)
                .filter(OptionalInt::isPresent)
                .isPresent();
    }
}
