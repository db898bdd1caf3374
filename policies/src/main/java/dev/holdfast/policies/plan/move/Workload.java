package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;

/** The workload of a pod: its topmost controller, for example the Deployment above a ReplicaSet. */
public record Workload(String uid, String kind, NamespacedName name) {
    /**
     * The maximum number of owner references to follow upwards, so that a loop ends. A pod of a Deployment has two: to
     * its ReplicaSet, and from there to the Deployment.
     */
    public static final int MAX_CHAIN = 5;

    /** {@return the workload of a pod; empty for a bare pod, which has no controller} */
    public static Optional<Workload> of(Pod pod, ClusterView view) {
        return pod.victimProtection().controller().map(direct -> {
            Controller top = top(direct, pod.namespace(), view);
            return new Workload(top.uid(), top.kind(), new NamespacedName(pod.namespace(), top.name()));
        });
    }

    /** {@return the workload that a workload object belongs to: its topmost controller, or the object itself} */
    public static Workload of(Owner owner, ClusterView view) {
        String namespace = owner.name().namespace();
        return owner.controller()
                .map(above -> top(above, namespace, view))
                .map(top -> new Workload(top.uid(), top.kind(), new NamespacedName(namespace, top.name())))
                .orElseGet(() -> new Workload(owner.uid(), owner.kind(), owner.name()));
    }

    /**
     * The identity of a workload, which includes the namespace, because a pod of another namespace may have an owner
     * reference with the same UID: anyone who may create pods can write one.
     */
    public record Id(String namespace, String uid) {
        /** {@return the workload of a pod; empty for a bare pod, which has no controller} */
        public static Optional<Id> of(Pod pod, ClusterView view) {
            return pod.victimProtection()
                    .controller()
                    .map(direct -> new Id(
                            pod.namespace(), top(direct, pod.namespace(), view).uid()));
        }
    }

    public Id id() {
        return new Id(name.namespace(), uid);
    }

    private static Controller top(Controller direct, String namespace, ClusterView view) {
        Controller top = direct;
        for (int i = 0; i < MAX_CHAIN; i++) {
            Optional<Controller> above = view.owner(namespace, top.uid()).flatMap(Owner::controller);
            if (above.isEmpty()) {
                return top;
            }
            top = above.get();
        }
        return top;
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
