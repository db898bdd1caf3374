package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Marks;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is asked for a pod by annotations: its own, those of the objects that made it, and those of its namespace. */
public final class Wishes {
    private Wishes() {}

    /**
     * Annotations, and whose they are.
     *
     * @param whose as a message says it: {@code the pod}, {@code ReplicaSet shop/web}
     */
    public record Wish(String whose, Marks marks) {}

    /** {@return all there are, the pod's own first; a Deployment's stand on its ReplicaSets too} */
    public static List<Wish> of(Pod pod, ClusterView view) {
        List<Wish> wishes = new ArrayList<>();
        if (asks(pod.protection().marks())) {
            wishes.add(new Wish("the pod", pod.protection().marks()));
        }
        for (Owner owner : owners(pod, view)) {
            if (asks(owner.marks())) {
                wishes.add(new Wish(owner.kind() + " " + owner.name(), owner.marks()));
            }
        }
        view.namespace(pod.namespace())
                .map(Namespace::marks)
                .filter(Wishes::asks)
                .ifPresent(marks -> wishes.add(new Wish("namespace " + pod.namespace(), marks)));
        return wishes;
    }

    /** {@return all there are} */
    public static List<Marks> marksOf(Pod pod, ClusterView view) {
        List<Wish> wishes = of(pod, view);
        // For each violation that begins: mostly there are none.
        return wishes.isEmpty() ? List.of() : wishes.stream().map(Wish::marks).toList();
    }

    private static boolean asks(Marks marks) {
        return !marks.equals(Marks.none());
    }

    private static List<Owner> owners(Pod pod, ClusterView view) {
        List<Owner> owners = new ArrayList<>();
        Optional<Controller> next = pod.protection().controller();
        while (next.isPresent() && owners.size() < Workload.MAX_CHAIN) {
            Optional<Owner> owner = view.owner(next.get().uid());
            owner.ifPresent(owners::add);
            next = owner.flatMap(Owner::controller);
        }
        return owners;
    }
}
