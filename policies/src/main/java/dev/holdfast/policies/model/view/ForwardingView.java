package dev.holdfast.policies.model.view;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A cluster view that forwards each call to another view. Implementations override methods to change the result. */
public interface ForwardingView extends ClusterView {
    /** {@return the view to which calls are forwarded} */
    ClusterView view();

    @Override
    default Optional<Node> node(String name) {
        return view().node(name);
    }

    @Override
    default Collection<Node> nodes() {
        return view().nodes();
    }

    @Override
    default Optional<Node> unreadNode(String name) {
        return view().unreadNode(name);
    }

    @Override
    default Collection<Node> unreadNodes() {
        return view().unreadNodes();
    }

    @Override
    default Optional<Namespace> namespace(String name) {
        return view().namespace(name);
    }

    @Override
    default Collection<Namespace> namespaces() {
        return view().namespaces();
    }

    @Override
    default Optional<Pod> pod(String uid) {
        return view().pod(uid);
    }

    @Override
    default Collection<Pod> pods() {
        return view().pods();
    }

    @Override
    default Collection<Pod> podsIn(String namespace) {
        return view().podsIn(namespace);
    }

    @Override
    default Iterable<Pod> podsWith(Predicate<Labels> labels) {
        return view().podsWith(labels);
    }

    @Override
    default Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        return view().podsIn(namespace, labels);
    }

    @Override
    default List<Namespace> namespacesWithUnreadLabels() {
        return view().namespacesWithUnreadLabels();
    }

    @Override
    default Iterable<Pod> podsWithUnreadLabels() {
        return view().podsWithUnreadLabels();
    }

    @Override
    default Iterable<Pod> podsWithUnreadLabels(String namespace) {
        return view().podsWithUnreadLabels(namespace);
    }

    @Override
    default Collection<Pod> podsOn(String node) {
        return view().podsOn(node);
    }

    @Override
    default Optional<Owner> owner(String namespace, String uid) {
        return view().owner(namespace, uid);
    }

    @Override
    default Collection<Owner> ownersIn(String namespace) {
        return view().ownersIn(namespace);
    }

    @Override
    default Optional<CsiNode> csiNode(String node) {
        return view().csiNode(node);
    }

    @Override
    default Collection<ResourceQuota> quotasIn(String namespace) {
        return view().quotasIn(namespace);
    }

    @Override
    default Collection<LimitRange> limitRangesIn(String namespace) {
        return view().limitRangesIn(namespace);
    }

    @Override
    default Collection<DisruptionBudget> budgetsIn(String namespace) {
        return view().budgetsIn(namespace);
    }
}
