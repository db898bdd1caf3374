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
            Controller top = top(direct, view);
            return new Workload(top.uid(), top.kind(), new NamespacedName(pod.namespace(), top.name()));
        });
    }

    /** {@return the workload that a workload object belongs to: its topmost controller, or the object itself} */
    public static Workload of(Owner owner, ClusterView view) {
        return owner.controller()
                .map(above -> top(above, view))
                .map(top -> new Workload(
                        top.uid(), top.kind(), new NamespacedName(owner.name().namespace(), top.name())))
                .orElseGet(() -> new Workload(owner.uid(), owner.kind(), owner.name()));
    }

    /** {@return the UID of the workload of a pod; empty for a bare pod, which has no controller} */
    public static Optional<String> uid(Pod pod, ClusterView view) {
        return pod.victimProtection()
                .controller()
                .map(direct -> top(direct, view).uid());
    }

    /** {@return the UID of the topmost controller of an object; the object's own UID if no controller owns it} */
    public static String uid(Owner controller, ClusterView view) {
        return controller.controller().map(above -> top(above, view).uid()).orElse(controller.uid());
    }

    private static Controller top(Controller direct, ClusterView view) {
        Controller top = direct;
        for (int i = 0; i < MAX_CHAIN; i++) {
            Optional<Controller> above = view.owner(top.uid()).flatMap(Owner::controller);
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
