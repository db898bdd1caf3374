package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The nodes that vanished unexpectedly within the last fifteen minutes. Nodes that were marked for removal, or were
 * cordoned and still Ready, do not count: they were removed on purpose.
 *
 * <p>Owned by one thread.
 */
public final class VanishedNodes {
    /** How long a vanished node counts. */
    public static final Duration REMEMBERED = Duration.ofMinutes(15);

    /** The maximum number of nodes remembered; of more, those that vanished first are forgotten. */
    static final int MOST = 10_000;

    /** The vanished nodes by name, in the order in which they vanished. */
    private final SequencedMap<String, Vanished> byName = new LinkedHashMap<>();

    /** The last state of a node, with the labels and taints by which rules count it, and when it vanished. */
    public record Vanished(Node node, Instant at) {}

    /** Records that a node vanished, unless it was removed on purpose. */
    public void vanished(Node node, Instant now) {
        boolean onPurpose = LeavingNodes.marked(node).isPresent() || (node.unschedulable() && node.ready());
        if (!onPurpose) {
            byName.putLast(node.name(), new Vanished(node, now));
            if (byName.size() > MOST) {
                byName.pollFirstEntry();
            }
        }
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
