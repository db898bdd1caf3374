package dev.holdfast.policies.score;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.List;

/**
 * A choice that the scheduler has to make: the node for a pod.
 *
 * @param pod the pod to place; a pod with the same UID in the view does not count, as if it were gone
 * @param feasible the nodes that the filters of the scheduler accept
 * @param reads all nodes and pods of the cluster
 */
record Choice(Pod pod, List<Node> feasible, SharedReads reads) {
    Choice {
        feasible = List.copyOf(feasible);
    }

    ClusterView view() {
        return reads.view();
    }

    /** {@return whether the scheduler counts another pod (W-1, W-2)} */
    boolean isOther(Pod other) {
        return other.counts() && !other.uid().equals(pod.uid());
    }
}
