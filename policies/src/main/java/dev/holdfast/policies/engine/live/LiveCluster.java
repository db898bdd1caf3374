package dev.holdfast.policies.engine.live;

import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.view.ForwardingView;
import dev.holdfast.policies.plan.capacity.ResourceFit;
import dev.holdfast.policies.plan.move.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cluster state of the engine: the incremental index of everything that verdicts depend on, plus pod owners (for
 * example ReplicaSets), disruption budgets, CSI drivers, quotas and LimitRanges.
 */
public class LiveCluster implements ForwardingView {
    private final VerdictChanges verdictChanges = new VerdictChanges();
    private final Index index;
    private final ResourceFit resourceFit;
    private final ClusterView facts;
    private final Map<String, Owner> owners = new HashMap<>();
    private final Map<String, Map<String, Owner>> ownersByNamespace = new HashMap<>();
    private final Map<String, DisruptionBudget> budgets = new HashMap<>();
    private final Map<String, CsiNode> csiNodes = new HashMap<>();
    private final ByNamespace<ResourceQuota> quotas = new ByNamespace<>();
    private final ByNamespace<LimitRange> limitRanges = new ByNamespace<>();
    private final Map<String, Map<String, DisruptionBudget>> budgetsByNamespace = new HashMap<>();
    private final ControlledObjects podsOfController = new ControlledObjects();
    private final ControlledObjects ownersOfController = new ControlledObjects();
    private int boundPods;
    private int tooComplex;

    /** Objects of one kind, found by their namespace. */
    private static final class ByNamespace<T> {
        private final Map<String, Map<String, T>> objects = new HashMap<>();
        private final Map<String, String> namespaces = new HashMap<>();

        void put(String namespace, String uid, T object) {
            namespaces.put(uid, namespace);
            objects.computeIfAbsent(namespace, _ -> new HashMap<>()).put(uid, object);
        }

        void remove(String uid) {
            Optional.ofNullable(namespaces.remove(uid))
                    .ifPresent(namespace -> objects.computeIfPresent(namespace, (_, inNamespace) -> {
                        inNamespace.remove(uid);
                        return inNamespace.isEmpty() ? null : inNamespace;
                    }));
        }

        Collection<T> in(String namespace) {
            return Collections.unmodifiableCollection(
                    objects.getOrDefault(namespace, Map.of()).values());
        }
    }

    public LiveCluster(Set<String> exemptNamespaces) {
        this.index = new Index(exemptNamespaces, verdictChanges);
        this.facts = index.view();
        this.resourceFit = new ResourceFit(facts);
    }

    /** {@return the incremental index of pods, rules and verdicts} */
    public Index index() {
        return index;
    }

    /** {@return the collector of the verdict changes that events cause} */
    public VerdictChanges verdictChanges() {
        return verdictChanges;
    }

    /** {@return the free capacity of nodes, kept from plan to plan because computing it again takes too long} */
    public ResourceFit resourceFit() {
        return resourceFit;
    }

    /** Applies a change of a cluster object, which may change verdicts. */
    public void apply(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.OwnerChanged(Owner owner) -> put(owner);
            case ClusterEvent.OwnerGone(String uid) -> removeOwner(uid);
            case ClusterEvent.BudgetChanged(DisruptionBudget budget) -> {
                removeBudget(budget.uid());
                put(budget);
            }
            case ClusterEvent.BudgetGone(String uid) -> removeBudget(uid);
            case ClusterEvent.CsiNodeChanged(CsiNode csiNode) -> csiNodes.put(csiNode.name(), csiNode);
            case ClusterEvent.CsiNodeGone(String name) -> csiNodes.remove(name);
            case ClusterEvent.QuotaChanged(ResourceQuota quota) ->
                quotas.put(quota.name().namespace(), quota.uid(), quota);
            case ClusterEvent.QuotaGone(String uid) -> quotas.remove(uid);
            case ClusterEvent.LimitRangeChanged(LimitRange limitRange) ->
                limitRanges.put(limitRange.name().namespace(), limitRange.uid(), limitRange);
            case ClusterEvent.LimitRangeGone(String uid) -> limitRanges.remove(uid);
            case ClusterEvent.PodChanged(Pod pod) -> {
                Optional<Pod> before = pod(pod.uid());
                if (before.isEmpty() || !takesAsMuch(before.get(), pod)) {
                    before.flatMap(Pod::nodeName).ifPresent(resourceFit::forget);
                    pod.nodeName().ifPresent(resourceFit::forget);
                }
                podsOfController.changed(pod.uid(), before.flatMap(LiveCluster::controller), controller(pod));
                boundPods += (pod.counts() ? 1 : 0) - bound(before);
                tooComplex += tooComplex(Optional.of(pod)) - tooComplex(before);
                index.apply(event);
            }
            case ClusterEvent.PodGone(String uid) -> {
                Optional<Pod> before = pod(uid);
                before.flatMap(Pod::nodeName).ifPresent(resourceFit::forget);
                podsOfController.changed(uid, before.flatMap(LiveCluster::controller), Optional.empty());
                boundPods -= bound(before);
                tooComplex -= tooComplex(before);
                index.apply(event);
            }
            case ClusterEvent.NodeUnread(Node node) -> {
                resourceFit.forget(node.name());
                index.apply(event);
            }
            case ClusterEvent.NodeGone(String name) -> {
                resourceFit.forget(name);
                index.apply(event);
            }
            case ClusterEvent.NodeChanged _, ClusterEvent.OfNamespace _ -> index.apply(event);
        }
    }

    private static Optional<String> controller(Pod pod) {
        return pod.victimProtection().controller().map(Controller::uid);
    }

    private static Optional<String> controller(Owner owner) {
        return owner.controller().map(Controller::uid);
    }

    private void put(Owner owner) {
        ownersOfController.changed(owner.uid(), owner(owner.uid()).flatMap(LiveCluster::controller), controller(owner));
        owners.put(owner.uid(), owner);
        ownersByNamespace
                .computeIfAbsent(owner.name().namespace(), _ -> new HashMap<>())
                .put(owner.uid(), owner);
    }

    private void removeOwner(String uid) {
        Optional.ofNullable(owners.remove(uid)).ifPresent(owner -> {
            ownersOfController.changed(uid, controller(owner), Optional.empty());
            ownersByNamespace.computeIfPresent(owner.name().namespace(), (_, inNamespace) -> {
                inNamespace.remove(uid);
                return inNamespace.isEmpty() ? null : inNamespace;
            });
        });
    }

    private void put(DisruptionBudget budget) {
        budgets.put(budget.uid(), budget);
        budgetsByNamespace
                .computeIfAbsent(budget.name().namespace(), _ -> new HashMap<>())
                .put(budget.uid(), budget);
    }

    private void removeBudget(String uid) {
        Optional.ofNullable(budgets.remove(uid))
                .ifPresent(budget ->
                        budgetsByNamespace.computeIfPresent(budget.name().namespace(), (_, inNamespace) -> {
                            inNamespace.remove(uid);
                            return inNamespace.isEmpty() ? null : inNamespace;
                        }));
    }

    private static int bound(Optional<Pod> pod) {
        return pod.isPresent() && pod.get().counts() ? 1 : 0;
    }

    private static int tooComplex(Optional<Pod> pod) {
        return pod.isPresent() && pod.get().scheduling().tooComplex().isPresent() ? 1 : 0;
    }

    /** {@return the number of pods that are too complex to be read in full} */
    public int tooComplex() {
        return tooComplex;
    }

    /** {@return the number of pods that are bound to a node and have not finished} */
    public int boundPods() {
        return boundPods;
    }

    private static boolean takesAsMuch(Pod before, Pod after) {
        return before.counts() == after.counts()
                && before.nodeName().equals(after.nodeName())
                && before.podRequirements().equals(after.podRequirements());
    }

    public Collection<DisruptionBudget> budgets() {
        return Collections.unmodifiableCollection(budgets.values());
    }

    public Optional<DisruptionBudget> budget(String uid) {
        return Optional.ofNullable(budgets.get(uid));
    }

    @Override
    public ClusterView view() {
        return facts;
    }

    /** {@return the workload object with this UID, whatever its namespace} */
    public Optional<Owner> owner(String uid) {
        return Optional.ofNullable(owners.get(uid));
    }

    /**
     * {@return the pods below a workload object: the pods in the same namespace that it controls, directly or through
     * other workload objects} Other pods of the namespace cost no time.
     */
    public List<Pod> podsBelow(Owner owner) {
        List<Pod> pods = new ArrayList<>();
        addPodsBelow(owner.uid(), owner.name().namespace(), Workload.MAX_CHAIN, pods);
        return pods;
    }

    /** {@return the pods whose direct controller has this UID} */
    public List<Pod> podsControlledBy(String uid) {
        return podsOfController.of(uid).stream()
                .flatMap(pod -> pod(pod).stream())
                .toList();
    }

    private void addPodsBelow(String controller, String namespace, int chain, List<Pod> pods) {
        if (chain > 0) {
            podsOfController.of(controller).stream()
                    .flatMap(uid -> pod(uid).stream())
                    .filter(pod -> pod.namespace().equals(namespace))
                    .forEach(pods::add);
            ownersOfController.of(controller).stream()
                    .filter(uid -> owner(namespace, uid).isPresent())
                    .forEach(uid -> addPodsBelow(uid, namespace, chain - 1, pods));
        }
    }

    @Override
    public Optional<Owner> owner(String namespace, String uid) {
        return owner(uid).filter(owner -> owner.name().namespace().equals(namespace));
    }

    @Override
    public Collection<Owner> ownersIn(String namespace) {
        return Collections.unmodifiableCollection(
                ownersByNamespace.getOrDefault(namespace, Map.of()).values());
    }

    @Override
    public Optional<CsiNode> csiNode(String node) {
        return Optional.ofNullable(csiNodes.get(node));
    }

    @Override
    public Collection<ResourceQuota> quotasIn(String namespace) {
        return quotas.in(namespace);
    }

    @Override
    public Collection<LimitRange> limitRangesIn(String namespace) {
        return limitRanges.in(namespace);
    }

    @Override
    public Collection<DisruptionBudget> budgetsIn(String namespace) {
        return Collections.unmodifiableCollection(
                budgetsByNamespace.getOrDefault(namespace, Map.of()).values());
    }
}
