package dev.holdfast.operator.feed;

import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import java.util.function.Function;

/**
 * A kind that a feed watches.
 *
 * @param resource the resource as RBAC writes it: {@code replicasets.apps}
 * @param view the view that the objects of the kind belong to
 * @param gone makes the deletion event from the id of an object: its name for nodes, CSINodes and namespaces, else
 *     its uid
 */
record WatchedKind(String resource, View view, Function<String, ClusterEvent> gone) {
    static final WatchedKind PODS = new WatchedKind("pods", View.PODS, ClusterEvent.PodGone::new);
    static final WatchedKind NODES = new WatchedKind("nodes", View.NODES, ClusterEvent.NodeGone::new);
    static final WatchedKind NAMESPACES =
            new WatchedKind("namespaces", View.NAMESPACES, ClusterEvent.NamespaceGone::new);
    static final WatchedKind BUDGETS =
            new WatchedKind("poddisruptionbudgets.policy", View.BUDGETS, ClusterEvent.BudgetGone::new);
    static final WatchedKind DEPLOYMENTS = owners("deployments.apps");
    static final WatchedKind REPLICA_SETS = owners("replicasets.apps");
    static final WatchedKind STATEFUL_SETS = owners("statefulsets.apps");
    static final WatchedKind JOBS = owners("jobs.batch");

    static final WatchedKind CSI_NODES =
            new WatchedKind("csinodes.storage.k8s.io", View.CAPACITY, ClusterEvent.CsiNodeGone::new);
    static final WatchedKind QUOTAS = new WatchedKind("resourcequotas", View.CAPACITY, ClusterEvent.QuotaGone::new);
    static final WatchedKind LIMIT_RANGES =
            new WatchedKind("limitranges", View.CAPACITY, ClusterEvent.LimitRangeGone::new);

    private static WatchedKind owners(String resource) {
        return new WatchedKind(resource, View.OWNERS, ClusterEvent.OwnerGone::new);
    }

    @Override
    public String toString() {
        return resource;
    }
}
