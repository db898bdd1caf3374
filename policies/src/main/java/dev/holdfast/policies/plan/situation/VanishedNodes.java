package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The nodes that have vanished within a quarter of an hour without anybody having meant it. A node was taken away on purpose
 * where it was marked as leaving before, or was cordoned and still Ready: such a one is no sign of a failure.
 *
 * <p>Owned by one thread.
 */
public final class VanishedNodes {
    public static final Duration REMEMBERED = Duration.ofMinutes(15);

    /** By name, the one that vanished first at the beginning. */
    private final SequencedMap<String, Vanished> byName = new LinkedHashMap<>();

    /** A node as it was last, and when it was gone. */
    public record Vanished(Node node, Instant at) {}

    /** Notes that a node is gone. */
    public void gone(Node node, Instant now) {
        boolean onPurpose = LeavingNodes.marked(node).isPresent() || (node.unschedulable() && node.ready());
        if (!onPurpose) {
            byName.putLast(node.name(), new Vanished(node, now));
        }
    }

    /** Notes that there is a node of this name. */
    public void there(String name) {
        byName.remove(name);
    }

    /** Forgets those that vanished long enough ago. */
    public void forget(Instant now) {
        while (!byName.isEmpty() && !isLately(byName.firstEntry().getValue(), now)) {
            byName.pollFirstEntry();
        }
    }

    /** {@return those that vanished lately, the first one first} */
    List<Vanished> lately(Instant now) {
        Collection<Vanished> all = byName.values();
        return all.stream().filter(vanished -> isLately(vanished, now)).toList();
    }

    private static boolean isLately(Vanished vanished, Instant now) {
        return now.isBefore(vanished.at().plus(REMEMBERED));
    }

    /** {@return how many are remembered} */
    public int size() {
        return byName.size();
    }
}
