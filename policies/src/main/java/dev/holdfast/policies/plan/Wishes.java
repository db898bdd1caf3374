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
        add("the pod", pod.protection().marks(), wishes);
        for (Owner owner : owners(pod, view)) {
            add(owner.kind() + " " + owner.name(), owner.marks(), wishes);
        }
        view.namespace(pod.namespace())
                .map(Namespace::marks)
                .ifPresent(marks -> add("namespace " + pod.namespace(), marks, wishes));
        return wishes;
    }

    /** {@return all there are} */
    public static List<Marks> marksOf(Pod pod, ClusterView view) {
        List<Wish> wishes = of(pod, view);
        // For each violation that begins: mostly there are none.
        return wishes.isEmpty() ? List.of() : wishes.stream().map(Wish::marks).toList();
    }

    private static void add(String whose, Marks marks, List<Wish> wishes) {
        if (!marks.equals(Marks.none())) {
            wishes.add(new Wish(whose, marks));
        }
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
