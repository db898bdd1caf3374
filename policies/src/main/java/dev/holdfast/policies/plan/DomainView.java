package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Another view with only the pods of one domain: those bound to nodes that carry a label with a value. On such a node
 * anti-affinity by that key gets the same verdict from it as from all pods, and from far fewer.
 */
record DomainView(ClusterView view, Domains domains, String topologyKey, String value) implements ClusterView {
    /** So many nodes are looked through sooner than a namespace. */
    private static final int FEW_NODES = 4;

    @Override
    public Optional<Node> node(String name) {
        return view.node(name);
    }

    @Override
    public Collection<Node> nodes() {
        return view.nodes();
    }

    @Override
    public Optional<Namespace> namespace(String name) {
        return view.namespace(name);
    }

    @Override
    public Collection<Namespace> namespaces() {
        return view.namespaces();
    }

    @Override
    public Optional<Pod> pod(String uid) {
        return view.pod(uid).filter(this::isIn);
    }

    @Override
    public Collection<Pod> pods() {
        return domains.nodes(topologyKey, value).stream()
                .flatMap(node -> view.podsOn(node.name()).stream())
                .toList();
    }

    @Override
    public Collection<Pod> podsIn(String namespace) {
        return domains.nodes(topologyKey, value).size() <= FEW_NODES
                ? pods().stream()
                        .filter(pod -> pod.namespace().equals(namespace))
                        .toList()
                : view.podsIn(namespace).stream().filter(this::isIn).toList();
    }

    @Override
    public Collection<Pod> podsOn(String node) {
        return view.node(node).filter(this::isIn).isPresent() ? view.podsOn(node) : List.of();
    }

    @Override
    public Optional<Owner> owner(String uid) {
        return view.owner(uid);
    }

    private boolean isIn(Pod pod) {
        return pod.nodeName().flatMap(view::node).filter(this::isIn).isPresent();
    }

    private boolean isIn(Node node) {
        return node.labels().has(topologyKey, value);
    }
}
