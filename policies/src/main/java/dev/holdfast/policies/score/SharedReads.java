package dev.holdfast.policies.score;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Scheduling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What plugins read of all pods in a view: once, at the first need, for all choices in that view. Valid until the view
 * changes. One thread owns it.
 */
final class SharedReads {
    private final ClusterView view;

    /** The loads where each container counts for something. */
    private final NodeLoads raised;

    /** The loads of what the pods reserve. */
    private final NodeLoads reserved;

    private @Nullable Map<Owners, List<Pod>> owners;

    SharedReads(ClusterView view) {
        this.view = view;
        this.raised = new NodeLoads(view, Load::spreadOut);
        this.reserved = new NodeLoads(view, pod -> Load.of(pod.reserved()));
    }

    ClusterView view() {
        return view;
    }

    NodeLoads raised() {
        return raised;
    }

    NodeLoads reserved() {
        return reserved;
    }

    /** Pods of one namespace with equal terms. */
    record Owners(Scheduling scheduling, String namespace) {}

    /** {@return the pods with terms by which they score other pods, in groups; finished and unbound ones too} */
    Map<Owners, List<Pod>> owners() {
        Map<Owners, List<Pod>> known = owners;
        if (known == null) {
            known = findOwners();
            owners = known;
        }
        return known;
    }

    private Map<Owners, List<Pod>> findOwners() {
        Map<Owners, List<Pod>> found = new HashMap<>();
        for (Pod pod : view.pods()) {
            Scheduling terms = pod.scheduling();
            if (!terms.podAffinity().isEmpty() || terms.preferences().hasPodTerms()) {
                found.computeIfAbsent(new Owners(terms, pod.namespace()), _ -> new ArrayList<>())
                        .add(pod);
            }
        }
        return found;
    }

    /** The loads of nodes: the sums of what the pods on them count for, terminating pods included. */
    static final class NodeLoads {
        private final ClusterView view;
        private final Function<PodRequirements, Load> ofPod;

        /** By identity: the pods of one template share an instance, and its hash would take as long as the sum. */
        private final IdentityHashMap<PodRequirements, Load> ofPods = new IdentityHashMap<>();

        private final Map<String, Load> ofNodes = new HashMap<>();

        private NodeLoads(ClusterView view, Function<PodRequirements, Load> ofPod) {
            this.view = view;
            this.ofPod = ofPod;
        }

        /** {@return the load of a node without a pod, which may be on it} */
        Load without(Pod pod, Node node) {
            Load all = ofNodes.computeIfAbsent(node.name(), this::sum);
            return view.pod(pod.uid())
                    .filter(it -> it.counts() && it.isOn(node.name()))
                    .map(it -> all.minus(of(it)))
                    .orElse(all);
        }

        private Load sum(String node) {
            Load sum = Load.NONE;
            for (Pod pod : view.podsOn(node)) {
                if (pod.counts()) {
                    sum = sum.plus(of(pod));
                }
            }
            return sum;
        }

        private Load of(Pod pod) {
            return ofPods.computeIfAbsent(pod.podRequirements(), ofPod);
        }
    }
}
