package dev.holdfast.policies.model;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The simplest {@link ClusterView}, for tests: it changes with each applied event. One thread owns it. The collections
 * that it returns are live views: read them before the next event.
 */
public final class ReferenceCluster implements ClusterView {
    private final NavigableMap<String, Node> nodes = new TreeMap<>();
    private final NavigableMap<String, Node> unreadNodes = new TreeMap<>();
    private final NavigableMap<String, Namespace> namespaces = new TreeMap<>();
    private final NavigableMap<String, Pod> pods = new TreeMap<>();
    private final Map<String, NavigableMap<String, Pod>> podsByNamespace = new HashMap<>();
    private final Map<String, NavigableMap<String, Pod>> podsByNode = new HashMap<>();
    private final Map<String, Owner> owners = new HashMap<>();
    private final NavigableMap<String, DisruptionBudget> budgets = new TreeMap<>();
    private final Map<String, CsiNode> csiNodes = new HashMap<>();
    private final NavigableMap<String, ResourceQuota> quotas = new TreeMap<>();
    private final NavigableMap<String, LimitRange> limitRanges = new TreeMap<>();

    /** Applies one event: stores the changed object, or removes the deleted one. */
    public void apply(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> put(pod);
            case ClusterEvent.PodGone(String uid) -> remove(uid);
            case ClusterEvent.NodeChanged(Node node) -> {
                unreadNodes.remove(node.name());
                nodes.put(node.name(), node);
            }
            case ClusterEvent.NodeUnread(Node node) -> {
                nodes.remove(node.name());
                unreadNodes.put(node.name(), node);
            }
            case ClusterEvent.NodeGone(String name) -> {
                nodes.remove(name);
                unreadNodes.remove(name);
            }
            case ClusterEvent.NamespaceChanged(Namespace namespace) -> namespaces.put(namespace.name(), namespace);
            case ClusterEvent.NamespaceGone(String name) -> namespaces.remove(name);
            case ClusterEvent.OwnerChanged(Owner owner) -> owners.put(owner.uid(), owner);
            case ClusterEvent.OwnerGone(String uid) -> owners.remove(uid);
            case ClusterEvent.BudgetChanged(DisruptionBudget budget) -> budgets.put(budget.uid(), budget);
            case ClusterEvent.BudgetGone(String uid) -> budgets.remove(uid);
            case ClusterEvent.CsiNodeChanged(CsiNode csiNode) -> csiNodes.put(csiNode.name(), csiNode);
            case ClusterEvent.CsiNodeGone(String name) -> csiNodes.remove(name);
            case ClusterEvent.QuotaChanged(ResourceQuota quota) -> quotas.put(quota.uid(), quota);
            case ClusterEvent.QuotaGone(String uid) -> quotas.remove(uid);
            case ClusterEvent.LimitRangeChanged(LimitRange limitRange) -> limitRanges.put(limitRange.uid(), limitRange);
            case ClusterEvent.LimitRangeGone(String uid) -> limitRanges.remove(uid);
        }
    }

    private void put(Pod pod) {
        remove(pod.uid());
        pods.put(pod.uid(), pod);
        podsByNamespace.computeIfAbsent(pod.namespace(), _ -> new TreeMap<>()).put(pod.uid(), pod);
        pod.nodeName()
                .ifPresent(node ->
                        podsByNode.computeIfAbsent(node, _ -> new TreeMap<>()).put(pod.uid(), pod));
    }

    private void remove(String uid) {
        Pod known = pods.remove(uid);
        if (known != null) {
            removeFrom(podsByNamespace, known.namespace(), uid);
            known.nodeName().ifPresent(node -> removeFrom(podsByNode, node, uid));
        }
    }

    private static void removeFrom(Map<String, NavigableMap<String, Pod>> groups, String group, String uid) {
        NavigableMap<String, Pod> members = groups.get(group);
        if (members != null) {
            members.remove(uid);
            if (members.isEmpty()) {
                groups.remove(group);
            }
        }
    }

    @Override
    public Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    @Override
    public Collection<Node> nodes() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    @Override
    public Collection<Node> unreadNodes() {
        return Collections.unmodifiableCollection(unreadNodes.values());
    }

    @Override
    public Optional<Namespace> namespace(String name) {
        return Optional.ofNullable(namespaces.get(name));
    }

    @Override
    public Collection<Namespace> namespaces() {
        return Collections.unmodifiableCollection(namespaces.values());
    }

    @Override
    public Optional<Pod> pod(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    @Override
    public Collection<Pod> pods() {
        return Collections.unmodifiableCollection(pods.values());
    }

    @Override
    public Collection<Pod> podsIn(String namespace) {
        return values(podsByNamespace.get(namespace));
    }

    @Override
    public Collection<Pod> podsOn(String node) {
        return values(podsByNode.get(node));
    }

    @Override
    public Optional<Owner> owner(String namespace, String uid) {
        return Optional.ofNullable(owners.get(uid))
                .filter(owner -> owner.name().namespace().equals(namespace));
    }

    @Override
    public Collection<Owner> ownersIn(String namespace) {
        return owners.values().stream()
                .filter(owner -> owner.name().namespace().equals(namespace))
                .toList();
    }

    @Override
    public Optional<CsiNode> csiNode(String node) {
        return Optional.ofNullable(csiNodes.get(node));
    }

    @Override
    public Collection<ResourceQuota> quotasIn(String namespace) {
        return quotas.values().stream()
                .filter(quota -> quota.name().namespace().equals(namespace))
                .toList();
    }

    @Override
    public Collection<LimitRange> limitRangesIn(String namespace) {
        return limitRanges.values().stream()
                .filter(limitRange -> limitRange.name().namespace().equals(namespace))
                .toList();
    }

    /** {@return the disruption budgets of a namespace, ordered by UID} */
    @Override
    public Collection<DisruptionBudget> budgetsIn(String namespace) {
        return budgets.values().stream()
                .filter(budget -> budget.name().namespace().equals(namespace))
                .toList();
    }

    /** {@return the budget with this UID} */
    public Optional<DisruptionBudget> budget(String uid) {
        return Optional.ofNullable(budgets.get(uid));
    }

    private static Collection<Pod> values(@Nullable NavigableMap<String, Pod> members) {
        return members == null ? List.of() : Collections.unmodifiableCollection(members.values());
    }
}
