package dev.holdfast.operator.feed;

import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import java.util.function.Function;

/**
 * One kind of objects to watch.
 *
 * @param resource as RBAC writes it: {@code replicasets.apps}
 * @param gone what it is when the object with an id is gone: its uid, or its name where another object of that name takes
 *     its place
 */
record Kind(String resource, View view, Function<String, ClusterEvent> gone) {
    static final Kind PODS = new Kind("pods", View.PODS, ClusterEvent.PodGone::new);
    static final Kind NODES = new Kind("nodes", View.NODES, ClusterEvent.NodeGone::new);
    static final Kind NAMESPACES = new Kind("namespaces", View.NAMESPACES, ClusterEvent.NamespaceGone::new);
    static final Kind BUDGETS = new Kind("poddisruptionbudgets.policy", View.BUDGETS, ClusterEvent.BudgetGone::new);
    static final Kind REPLICA_SETS = owners("replicasets.apps");
    static final Kind STATEFUL_SETS = owners("statefulsets.apps");
    static final Kind JOBS = owners("jobs.batch");

    private static Kind owners(String resource) {
        return new Kind(resource, View.OWNERS, ClusterEvent.OwnerGone::new);
    }

    @Override
    public String toString() {
        return resource;
    }
}
