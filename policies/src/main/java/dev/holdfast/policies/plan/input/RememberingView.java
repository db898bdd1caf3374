package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.ForwardingView;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A view that remembers which pods a selector matches. One plan asks for the pods of the same few selectors again and
 * again, and each new answer reads the labels of many workloads. Must not be used after the cluster has changed. Owned
 * by one thread.
 */
public final class RememberingView implements ForwardingView {
    private final ClusterView view;
    private final Map<Predicate<Labels>, Iterable<Pod>> everywhere = new HashMap<>();
    private final Map<InNamespace, Iterable<Pod>> inNamespace = new HashMap<>();

    /** The key of a cached answer: the pods of one namespace that a selector matches. */
    private record InNamespace(String namespace, Predicate<Labels> labels) {}

    /** @param view the cluster, whose answers stay valid until the cluster changes */
    public RememberingView(ClusterView view) {
        this.view = view;
    }

    @Override
    public ClusterView view() {
        return view;
    }

    @Override
    public Iterable<Pod> podsWith(Predicate<Labels> labels) {
        return everywhere.computeIfAbsent(labels, view::podsWith);
    }

    @Override
    public Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        return inNamespace.computeIfAbsent(
                new InNamespace(namespace, labels), it -> view.podsIn(it.namespace(), it.labels()));
    }
}
