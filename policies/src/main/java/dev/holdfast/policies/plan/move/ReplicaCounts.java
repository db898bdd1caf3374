package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.ClusterView;
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

    private record Count(int all, int ready) {
        static final Count NONE = new Count(0, 0);

        Count and(Count more) {
            return new Count(all + more.all, ready + more.ready);
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
                if (isThere(pod)) {
                    Count one = new Count(1, pod.life().ready() ? 1 : 0);
                    Workload.of(pod, view).ifPresent(workload -> byWorkload.merge(workload, one, Count::and));
                }
            }
        }
        return byWorkload.getOrDefault(asked, Count.NONE);
    }
}
