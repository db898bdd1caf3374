package dev.holdfast.it.shell;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Collector of the events of the operator's watches: keeps the current objects, and whether each view (one watched kind
 * of objects) is synced or lost.
 */
public final class FeedCollector implements Consumer<Event> {
    /** All views except those of policies and pauses, which have informers of their own. */
    public static final Set<View> ALL = EnumSet.complementOf(EnumSet.of(View.POLICIES, View.PAUSES));

    private final ReferenceCluster referenceCluster = new ReferenceCluster();
    private final List<ClusterEvent> facts = new ArrayList<>();
    private final Set<View> synced = EnumSet.noneOf(View.class);
    private final Map<View, String> lost = new EnumMap<>(View.class);

    @Override
    public synchronized void accept(Event event) {
        switch (event) {
            case Event.ObjectChanged(ClusterEvent fact) -> {
                facts.add(fact);
                referenceCluster.apply(fact);
            }
            case Event.ViewSynced(View view) -> {
                synced.add(view);
                lost.remove(view);
            }
            case Event.ViewLost(View view, String why, var _) -> {
                synced.remove(view);
                lost.put(view, why);
            }
            default -> throw new IllegalArgumentException("no event of a feed: " + event);
        }
    }

    /** {@return the views that are synced: complete, and watched} */
    public synchronized Set<View> synced() {
        return Set.copyOf(synced);
    }

    /** {@return why each lost view was lost, as last reported} */
    public synchronized Map<View, String> lost() {
        return Map.copyOf(lost);
    }

    /** {@return a node by its name} */
    public synchronized Optional<Node> node(String name) {
        return referenceCluster.node(name);
    }

    synchronized Optional<Namespace> namespace(String name) {
        return referenceCluster.namespace(name);
    }

    synchronized Optional<Owner> owner(String namespace, String uid) {
        return referenceCluster.owner(namespace, uid);
    }

    synchronized List<DisruptionBudget> budgetsIn(String namespace) {
        return List.copyOf(referenceCluster.budgetsIn(namespace));
    }

    synchronized List<Pod> podsIn(String namespace) {
        return List.copyOf(referenceCluster.podsIn(namespace));
    }

    /** {@return the resource version of each pod, node and namespace, by {@code pod UID}, {@code node n1} and so on} */
    public synchronized Map<String, Long> versions() {
        Map<String, Long> versions = new TreeMap<>();
        referenceCluster.pods().forEach(it -> versions.put("pod " + it.uid(), it.resourceVersion()));
        referenceCluster.nodes().forEach(it -> versions.put("node " + it.name(), it.resourceVersion()));
        referenceCluster.namespaces().forEach(it -> versions.put("namespace " + it.name(), it.resourceVersion()));
        return versions;
    }

    /** {@return the object changes since the last call, in order; the next call returns later changes only} */
    synchronized List<ClusterEvent> newFacts() {
        List<ClusterEvent> since = List.copyOf(facts);
        facts.clear();
        return since;
    }
}
