package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
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
     * @param desired the number of pods that it should have: the sum of {@code spec.replicas} over its controllers, for
     *     example all ReplicaSets of a Deployment. For a controller without that field, its existing pods count,
     *     terminating ones included
     */
    private record Count(int all, int ready, long desired) {
        static final Count NONE = new Count(0, 0, 0);

        Count and(Count more) {
            return new Count(all + more.all, ready + more.ready, desired + more.desired);
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
     * {@return the number of pods that the workload should have} It is the sum of {@code spec.replicas} over its
     * controllers. For a controller without that field, such as a Job, the existing pods count.
     */
    public long desired(Workload workload) {
        return count(workload).desired();
    }

    /** {@return whether the pod is now Ready, and neither finished nor terminating; false if it is gone} */
    public boolean isReady(Pod pod) {
        return view.pod(pod.uid())
                .filter(now ->
                        !now.terminating() && !now.finished() && now.life().ready())
                .isPresent();
    }

    private Count count(Workload asked) {
        String namespace = asked.name().namespace();
        if (counted.add(namespace)) {
            for (Pod pod : view.podsIn(namespace)) {
                if (!pod.finished()) {
                    Workload.of(pod, view).ifPresent(workload -> byWorkload.merge(workload, count(pod), Count::and));
                }
            }
            for (Owner owner : view.ownersIn(namespace)) {
                int replicas = owner.replicas().orElse(0);
                // Old revisions of a Deployment want none.
                if (replicas > 0) {
                    byWorkload.merge(Workload.of(owner, view), new Count(0, 0, replicas), Count::and);
                }
            }
        }
        return byWorkload.getOrDefault(asked, Count.NONE);
    }

    private Count count(Pod pod) {
        int desired = saysANumber(pod) ? 0 : 1;
        return pod.terminating()
                ? new Count(0, 0, desired)
                : new Count(1, pod.life().ready() ? 1 : 0, desired);
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
