package dev.holdfast.policies.plan.conduct;

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

/** What is asked for a pod by annotations: its own, those of the objects that made it, and those of its namespace. */
public final class OptOuts {
    private OptOuts() {}

    /**
     * Annotations, and whose they are.
     *
     * @param whose as a message says it: {@code the pod}, {@code ReplicaSet shop/web}
     */
    public record Wish(String whose, DisruptionAnnotations disruptionAnnotations) {}

    /** {@return all there are, the pod's own first; a Deployment's stand on its ReplicaSet too} */
    public static List<Wish> of(Pod pod, ClusterView view) {
        // For each violation that begins: mostly there are none, and then nothing is made.
        List<Wish> wishes = new ArrayList<>();
        if (asks(pod.victimProtection().disruptionAnnotations())) {
            wishes.add(new Wish("the pod", pod.victimProtection().disruptionAnnotations()));
        }
        Optional<Controller> next = pod.victimProtection().controller();
        for (int chain = 0; next.isPresent() && chain < Workload.MAX_CHAIN; chain++) {
            Optional<Owner> owner = view.owner(next.get().uid());
            if (owner.isPresent() && asks(owner.get().disruptionAnnotations())) {
                wishes.add(new Wish(
                        owner.get().kind() + " " + owner.get().name(),
                        owner.get().disruptionAnnotations()));
            }
            next = owner.flatMap(Owner::controller);
        }
        Optional<DisruptionAnnotations> ofNamespace =
                view.namespace(pod.namespace()).map(Namespace::disruptionAnnotations);
        if (ofNamespace.isPresent() && asks(ofNamespace.get())) {
            wishes.add(new Wish("namespace " + pod.namespace(), ofNamespace.get()));
        }
        return wishes;
    }

    /** {@return all there are} */
    public static List<DisruptionAnnotations> marksOf(Pod pod, ClusterView view) {
        List<Wish> wishes = of(pod, view);
        // For each violation that begins: mostly there are none.
        return wishes.isEmpty()
                ? List.of()
                : wishes.stream().map(Wish::disruptionAnnotations).toList();
    }

    private static boolean asks(DisruptionAnnotations disruptionAnnotations) {
        return !disruptionAnnotations.equals(DisruptionAnnotations.none());
    }
}
