package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.ForwardingView;
import dev.holdfast.policies.model.Node;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A cluster view that hides some nodes, to see how verdicts would change without them. Pods bound to a hidden node do
 * not count for any rule.
 *
 * @param hidden accepts the nodes to hide
 */
record HidingNodesView(ClusterView view, Predicate<Node> hidden) implements ForwardingView {
    @Override
    public Optional<Node> node(String name) {
        return view.node(name).filter(hidden.negate());
    }

    @Override
    public Collection<Node> nodes() {
        return view.nodes().stream().filter(hidden.negate()).toList();
    }
}
