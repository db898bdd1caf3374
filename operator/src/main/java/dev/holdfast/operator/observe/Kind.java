package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.View;
import dev.holdfast.policies.model.ClusterEvent;
import java.util.List;
import java.util.function.Function;

/**
 * One kind of objects to watch.
 *
 * @param resource as RBAC writes it: {@code replicasets.apps}
 * @param id what tells that an object is gone: a uid, or a name where another object of that name takes its place
 */
record Kind<T extends SlimObject>(
        Class<T> type,
        String resource,
        View view,
        Function<T, String> id,
        Function<T, ClusterEvent> changed,
        Function<String, ClusterEvent> gone) {

    static List<Kind<?>> all(CoreFacts facts) {
        return List.of(
                new Kind<>(
                        SlimNamespace.class,
                        "namespaces",
                        View.NAMESPACES,
                        Kind::name,
                        it -> new ClusterEvent.NamespaceChanged(facts.namespace(it)),
                        ClusterEvent.NamespaceGone::new),
                new Kind<>(
                        SlimNode.class,
                        "nodes",
                        View.NODES,
                        Kind::name,
                        it -> new ClusterEvent.NodeChanged(facts.node(it)),
                        ClusterEvent.NodeGone::new),
                new Kind<>(
                        SlimPod.class,
                        "pods",
                        View.PODS,
                        Kind::uid,
                        it -> new ClusterEvent.PodChanged(facts.pod(it)),
                        ClusterEvent.PodGone::new),
                new Kind<>(
                        SlimBudget.class,
                        "poddisruptionbudgets.policy",
                        View.BUDGETS,
                        Kind::uid,
                        it -> new ClusterEvent.BudgetChanged(facts.budget(it)),
                        ClusterEvent.BudgetGone::new),
                owners(SlimOwner.ReplicaSet.class, "replicasets.apps", facts),
                owners(SlimOwner.StatefulSet.class, "statefulsets.apps", facts),
                owners(SlimOwner.Job.class, "jobs.batch", facts));
    }

    private static <T extends SlimOwner> Kind<T> owners(Class<T> type, String resource, CoreFacts facts) {
        return new Kind<>(
                type,
                resource,
                View.OWNERS,
                Kind::uid,
                it -> new ClusterEvent.OwnerChanged(facts.owner(it)),
                ClusterEvent.OwnerGone::new);
    }

    private static String uid(SlimObject object) {
        return object.getMetadata().getUid();
    }

    private static String name(SlimObject object) {
        return object.getMetadata().getName();
    }

    @Override
    public String toString() {
        return resource;
    }
}
