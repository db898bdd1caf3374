package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The nodes that vanished unexpectedly within the last fifteen minutes. Nodes that were marked for removal, or were
 * cordoned and still Ready, do not count: they were removed on purpose.
 *
 * <p>Owned by one thread.
 */
public final class VanishedNodes {
    /** How long a vanished node counts as lost. */
    public static final Duration REMEMBERED = Duration.ofMinutes(15);

    /** The maximum number of nodes remembered; of more, those that vanished first are forgotten. */
    static final int MOST = 10_000;

    /** The maximum number of nodes that the next process gets: a zone of a large cluster. */
    static final int MOST_REMEMBERED = 2_000;

    /** The vanished nodes by name, in the order in which they vanished. */
    private final SequencedMap<String, Vanished> byName = new LinkedHashMap<>();

    /** The last state of a node, with the labels and taints by which rules count it, and when it vanished. */
    public record Vanished(Node node, Instant at) {}

    /** Records that a node vanished, unless it was removed on purpose; returns whether it counts. */
    public boolean vanished(Node node, Instant now) {
        boolean onPurpose = LeavingNodes.marked(node).isPresent() || (node.unschedulable() && node.ready());
        if (!onPurpose) {
            byName.putLast(node.name(), new Vanished(node, now));
            if (byName.size() > MOST) {
                byName.pollFirstEntry();
            }
        }
        return !onPurpose;
    }

    /**
     * {@return the vanished nodes, for the next process of the operator: of very many, the last ones}
     *
     * @param readByRules whether any rule reads a label key; other labels are left out
     */
    List<RememberedNodes.Vanished> remembered(Predicate<String> readByRules) {
        return byName.values().stream()
                .skip(Math.max(0, byName.size() - MOST_REMEMBERED))
                .map(one -> new RememberedNodes.Vanished(
                        one.node().name(),
                        labels(one.node(), readByRules),
                        one.node().taints(),
                        one.at()))
                .toList();
    }

    private static Map<String, String> labels(Node node, Predicate<String> readByRules) {
        Map<String, String> labels = new TreeMap<>(node.labels().toMap());
        labels.keySet().removeIf(readByRules.negate());
        return labels;
    }

    /**
     * Takes over the nodes that vanished in an earlier process, unless this one saw the same.
     *
     * @param exists whether a node of a name exists
     */
    public void recall(List<RememberedNodes.Vanished> remembered, Predicate<String> exists) {
        List<Vanished> all = new ArrayList<>(byName.values());
        remembered.stream()
                .filter(one -> !exists.test(one.node()) && !byName.containsKey(one.node()))
                .map(one -> new Vanished(node(one), one.at()))
                .forEach(all::add);
        all.sort(Comparator.comparing(Vanished::at));
        byName.clear();
        all.stream()
                .skip(Math.max(0, all.size() - MOST))
                .forEach(one -> byName.put(one.node().name(), one));
    }

    private static Node node(RememberedNodes.Vanished remembered) {
        return new Node(
                remembered.node(),
                "",
                0,
                Labels.of(remembered.labels()),
                remembered.taints(),
                false,
                new NodeLifecycle(false, Optional.empty(), Instant.EPOCH, Optional.empty()),
                Resources.none());
    }

    /** Forgets the vanished node of this name, because a node of this name exists again. */
    public void exists(String name) {
        byName.remove(name);
    }

    /** Forgets the nodes that vanished fifteen minutes ago or earlier. */
    public void forget(Instant now) {
        while (!byName.isEmpty() && !isLately(byName.firstEntry().getValue(), now)) {
            byName.pollFirstEntry();
        }
    }

    /** {@return the nodes that vanished within the last fifteen minutes, in the order in which they vanished} */
    List<Vanished> lately(Instant now) {
        Collection<Vanished> all = byName.values();
        return all.stream().filter(vanished -> isLately(vanished, now)).toList();
    }

    private static boolean isLately(Vanished vanished, Instant now) {
        return now.isBefore(vanished.at().plus(REMEMBERED));
    }

    /** {@return the number of nodes remembered} */
    public int size() {
        return byName.size();
    }
}
