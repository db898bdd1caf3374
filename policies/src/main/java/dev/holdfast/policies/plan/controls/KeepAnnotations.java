package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the annotations that keep a pod from being evicted, or that forgive its violations for longer. Annotations can
 * be on the pod, on its controllers and on its namespace.
 *
 * <p>The annotations of a ReplicaSet do not count if a Deployment controls it. Kubernetes copies annotations from the
 * Deployment, and keeps the copies when a user removes the annotations there.
 */
public final class KeepAnnotations {
    private static final String DEPLOYMENT = "Deployment";

    private KeepAnnotations() {}

    /**
     * The annotations of one object.
     *
     * @param whose the object as messages name it: {@code the pod}, {@code ReplicaSet shop/web}
     */
    public record AnnotatedObject(String whose, DisruptionAnnotations disruptionAnnotations) {}

    /**
     * {@return the annotations that apply to the pod, by the object that has them: first the pod, then its controllers
     * from the nearest to the topmost, then its namespace} Objects without such annotations are left out.
     */
    public static List<AnnotatedObject> of(Pod pod, ClusterView view) {
        // Called for each new violation; most pods have no such annotation.
        List<AnnotatedObject> wishes = new ArrayList<>();
        if (optsOut(pod.victimProtection().disruptionAnnotations())) {
            wishes.add(new AnnotatedObject("the pod", pod.victimProtection().disruptionAnnotations()));
        }
        Optional<Controller> next = pod.victimProtection().controller();
        for (int chain = 0; next.isPresent() && chain < Workload.MAX_CHAIN; chain++) {
            Optional<Owner> owner = view.owner(pod.namespace(), next.get().uid());
            if (owner.isPresent() && optsOut(owner.get().disruptionAnnotations()) && !hasCopies(owner.get(), view)) {
                wishes.add(new AnnotatedObject(
                        owner.get().kind() + " " + owner.get().name(),
                        owner.get().disruptionAnnotations()));
            }
            next = owner.flatMap(Owner::controller);
        }
        Optional<DisruptionAnnotations> ofNamespace =
                view.namespace(pod.namespace()).map(Namespace::disruptionAnnotations);
        if (ofNamespace.isPresent() && optsOut(ofNamespace.get())) {
            wishes.add(new AnnotatedObject("namespace " + pod.namespace(), ofNamespace.get()));
        }
        return wishes;
    }

    /** {@return the annotations that {@link #of} finds, without saying which objects have them} */
    public static List<DisruptionAnnotations> annotationsOf(Pod pod, ClusterView view) {
        List<AnnotatedObject> wishes = of(pod, view);
        // Called for each new violation; most pods have no such annotation.
        return wishes.isEmpty()
                ? List.of()
                : wishes.stream().map(AnnotatedObject::disruptionAnnotations).toList();
    }

    /** {@return whether the annotations of a workload object are copies of those of a Deployment, and do not count} */
    public static boolean hasCopies(Owner owner, ClusterView view) {
        return owner.controller()
                .filter(controller -> controller.kind().equals(DEPLOYMENT))
                .flatMap(controller -> view.owner(owner.name().namespace(), controller.uid()))
                .isPresent();
    }

    private static boolean optsOut(DisruptionAnnotations disruptionAnnotations) {
        return !disruptionAnnotations.equals(DisruptionAnnotations.none());
    }
}
