package dev.holdfast.policies.engine;

import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Room;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The cluster as the engine sees it: the index keeps what verdicts depend on, owners and budgets stand beside it. */
class LiveCluster implements ClusterView {
    /** What the index told of the last event. */
    final Flips flips = new Flips();

    final Index index;

    /** What pods leave of nodes, as of now: of all nodes it is too much to be summed up for each plan. */
    final Room room;

    private final ClusterView facts;
    private final Map<String, Owner> owners = new HashMap<>();
    private final Map<String, DisruptionBudget> budgets = new HashMap<>();

    LiveCluster(Set<String> exemptNamespaces) {
        this.index = new Index(exemptNamespaces, flips);
        this.facts = index.view();
        this.room = new Room(facts);
    }

    /** Makes the event's fact the current one. */
    void apply(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.OwnerChanged(Owner owner) -> owners.put(owner.uid(), owner);
            case ClusterEvent.OwnerGone(String uid) -> owners.remove(uid);
            case ClusterEvent.BudgetChanged(DisruptionBudget budget) -> budgets.put(budget.uid(), budget);
            case ClusterEvent.BudgetGone(String uid) -> budgets.remove(uid);
            case ClusterEvent.PodChanged(Pod pod) -> {
                Optional<Pod> before = pod(pod.uid());
                if (before.filter(it -> takesAsMuch(it, pod)).isEmpty()) {
                    before.flatMap(Pod::nodeName).ifPresent(room::forget);
                    pod.nodeName().ifPresent(room::forget);
                }
                index.apply(event);
            }
            case ClusterEvent.PodGone(String uid) -> {
                pod(uid).flatMap(Pod::nodeName).ifPresent(room::forget);
                index.apply(event);
            }
            case ClusterEvent.NodeGone(String name) -> {
                room.forget(name);
                index.apply(event);
            }
            case ClusterEvent.NodeChanged _, ClusterEvent.NamespaceChanged _, ClusterEvent.NamespaceGone _ ->
                index.apply(event);
        }
    }

    private static boolean takesAsMuch(Pod before, Pod after) {
        return before.counts() == after.counts()
                && before.nodeName().equals(after.nodeName())
                && before.needs().equals(after.needs());
    }

    Optional<DisruptionBudget> budget(String uid) {
        return Optional.ofNullable(budgets.get(uid));
    }

    @Override
    public Optional<Owner> owner(String uid) {
        return Optional.ofNullable(owners.get(uid));
    }

    @Override
    public Optional<Node> node(String name) {
        return facts.node(name);
    }

    @Override
    public Collection<Node> nodes() {
        return facts.nodes();
    }

    @Override
    public Optional<Namespace> namespace(String name) {
        return facts.namespace(name);
    }

    @Override
    public Collection<Namespace> namespaces() {
        return facts.namespaces();
    }

    @Override
    public Optional<Pod> pod(String uid) {
        return facts.pod(uid);
    }

    @Override
    public Collection<Pod> pods() {
        return facts.pods();
    }

    @Override
    public Collection<Pod> podsIn(String namespace) {
        return facts.podsIn(namespace);
    }

    @Override
    public Iterable<Pod> podsWith(Predicate<Labels> labels) {
        return facts.podsWith(labels);
    }

    @Override
    public Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        return facts.podsIn(namespace, labels);
    }

    @Override
    public Collection<Pod> podsOn(String node) {
        return facts.podsOn(node);
    }
}
