package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts the pods of workloads. The first query for a namespace counts the pods of all its workloads, and one plan
 * reuses these counts.
 */
public final class ReplicaCounts {
    private final ClusterView view;
    private final Set<String> counted = new HashSet<>();
    private final Map<Workload, Count> byWorkload = new HashMap<>();

    /**
     * The pods of one workload.
     *
     * @param all its pods, without finished and terminating ones
     * @param ready those of them that are Ready
     * @param terminating its pods that are being deleted
     * @param desired the pods that its controllers want, for example the replicas of all ReplicaSets of a Deployment; 0
     *     if its controllers are of a kind without that number
     */
    private record Count(int all, int ready, int terminating, int desired) {
        static final Count NONE = new Count(0, 0, 0, 0);

        static Count of(Pod pod) {
            return pod.terminating()
                    ? new Count(0, 0, 1, 0)
                    : new Count(1, pod.life().ready() ? 1 : 0, 0, 0);
        }

        Count and(Count more) {
            return new Count(
                    all + more.all, ready + more.ready, terminating + more.terminating, desired + more.desired);
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
     * {@return the number of pods that the workload should have: what its controllers want, or all pods that are seen
     * of it, terminating ones included, if no controller says a number}
     */
    public int desired(Workload workload) {
        Count count = count(workload);
        return count.desired() > 0 ? count.desired() : count.all() + count.terminating();
    }

    /** {@return whether the pod is now Ready, and neither finished nor terminating; false if it is gone} */
    public boolean isReady(Pod pod) {
        return view.pod(pod.uid())
                .filter(now -> isThere(now) && now.life().ready())
                .isPresent();
    }

    private static boolean isThere(Pod pod) {
        return !pod.terminating() && !pod.finished();
    }

    private Count count(Workload asked) {
        String namespace = asked.name().namespace();
        if (counted.add(namespace)) {
            for (Pod pod : view.podsIn(namespace)) {
                if (!pod.finished()) {
                    Workload.of(pod, view).ifPresent(workload -> byWorkload.merge(workload, Count.of(pod), Count::and));
                }
            }
            for (Owner owner : view.ownersIn(namespace)) {
                Count wanted = new Count(0, 0, 0, owner.replicas().orElse(0));
                byWorkload.merge(Workload.of(owner, view), wanted, Count::and);
            }
        }
        return byWorkload.getOrDefault(asked, Count.NONE);
    }
}
