package dev.holdfast.policies.model;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Another view with some nodes left out: the cluster as it would be without them. Pods that are bound there count nowhere.
 * Nothing is copied.
 */
public record HidingNodesView(ClusterView view, Predicate<Node> hidden) implements ForwardingView {
    @Override
    public Optional<Node> node(String name) {
        return view.node(name).filter(hidden.negate());
    }

    @Override
    public Collection<Node> nodes() {
        return view.nodes().stream().filter(hidden.negate()).toList();
    }
}
