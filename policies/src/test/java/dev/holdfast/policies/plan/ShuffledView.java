package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.ResourceQuota;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A view with the same objects as another view, in an order drawn from a seed. Pods and namespaces are listed in that
 * order. Nodes are sorted by name, as {@link ClusterView} specifies.
 *
 * @param original the view that looks up owners, which no view lists
 * @param referenceCluster the same objects in the other order
 */
record ShuffledView(ClusterView original, ReferenceCluster referenceCluster, long seed) implements ClusterView {
    static ShuffledView of(ClusterView original, long seed) {
        List<ClusterEvent> facts = new ArrayList<>();
        original.nodes().forEach(node -> facts.add(new ClusterEvent.NodeChanged(node)));
        original.unreadNodes().forEach(node -> facts.add(new ClusterEvent.NodeUnread(node)));
        original.namespaces().forEach(namespace -> facts.add(new ClusterEvent.NamespaceChanged(namespace)));
        original.pods().forEach(pod -> facts.add(new ClusterEvent.PodChanged(pod)));
        ReferenceCluster referenceCluster = new ReferenceCluster();
        shuffled(facts, seed).forEach(referenceCluster::apply);
        return new ShuffledView(original, referenceCluster, seed);
    }

    /** {@return the elements in an order drawn from the seed} */
    static <T> List<T> shuffled(Collection<T> all, long seed) {
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, new Random(seed));
        return shuffled;
    }

    @Override
    public Optional<Node> node(String name) {
        return referenceCluster.node(name);
    }

    @Override
    public Collection<Node> nodes() {
        return referenceCluster.nodes();
    }

    @Override
    public Collection<Node> unreadNodes() {
        return referenceCluster.unreadNodes();
    }

    @Override
    public Optional<Namespace> namespace(String name) {
        return referenceCluster.namespace(name);
    }

    @Override
    public Collection<Namespace> namespaces() {
        return shuffled(referenceCluster.namespaces(), seed);
    }

    @Override
    public Optional<Pod> pod(String uid) {
        return referenceCluster.pod(uid);
    }

    @Override
    public Collection<Pod> pods() {
        return shuffled(referenceCluster.pods(), seed);
    }

    @Override
    public Collection<Pod> podsIn(String namespace) {
        return shuffled(referenceCluster.podsIn(namespace), seed);
    }

    @Override
    public Collection<Pod> podsOn(String node) {
        return shuffled(referenceCluster.podsOn(node), seed);
    }

    @Override
    public Optional<Owner> owner(String namespace, String uid) {
        return original.owner(namespace, uid);
    }

    @Override
    public Collection<Owner> ownersIn(String namespace) {
        return original.ownersIn(namespace);
    }

    @Override
    public Optional<CsiNode> csiNode(String node) {
        return original.csiNode(node);
    }

    @Override
    public Collection<ResourceQuota> quotasIn(String namespace) {
        return original.quotasIn(namespace);
    }

    @Override
    public Collection<LimitRange> limitRangesIn(String namespace) {
        return shuffled(original.limitRangesIn(namespace), seed);
    }
}
