package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * The states that nodes had within the last five minutes. A node takes a pod only if it would also have taken it in
 * each of these states: a node that has just been uncordoned or relabelled may soon be as before.
 *
 * <p>Example: the settle time is 300 s, and node n2 got the label {@code disk=ssd} 20 s ago. Before, it had {@code
 * disk=hdd}. A pod that requires {@code disk=ssd} waits for n2 another 280 s. A pod without that rule does not wait.
 *
 * <p>Owned by one thread.
 */
public final class FormerNodes {
    /** How long a former state counts at most. */
    public static final Duration REMEMBERED = Duration.ofMinutes(5);

    /** The maximum number of former states of one node. While a node has more, it takes no pod. */
    private static final int MOST = 16;

    private static final String UNSETTLED = "suitable for too short a time";

    private final Map<String, Deque<Former>> byName = new HashMap<>();

    /**
     * A former state of a node.
     *
     * @param node absent if there were too many states to remember
     * @param until when the state ended
     */
    private record Former(Optional<Node> node, Instant until) {}

    /** Records the state of a node that changes now. Changes that make no difference for pods are ignored. */
    public void changed(Node before, Node after, Instant now) {
        if (takesTheSame(before, after)) {
            return;
        }
        Deque<Former> former = byName.computeIfAbsent(before.name(), _ -> new ArrayDeque<>());
        former.addLast(new Former(Optional.of(before), now));
        if (former.size() > MOST) {
            former.pollFirst();
            Former lost = new Former(Optional.empty(), former.getFirst().until());
            former.pollFirst();
            former.addFirst(lost);
        }
    }

    /** {@return whether both states of a node take the same pods, as far as the node alone decides} */
    private static boolean takesTheSame(Node before, Node after) {
        return before.labels().equals(after.labels())
                && before.taints().equals(after.taints())
                && before.unschedulable() == after.unschedulable()
                && before.allocatable().equals(after.allocatable())
                && before.life().deletionTime().equals(after.life().deletionTime());
    }

    /** Forgets the states that ended five minutes ago or earlier. */
    public void forget(Instant now) {
        Iterator<Deque<Former>> all = byName.values().iterator();
        while (all.hasNext()) {
            Deque<Former> former = all.next();
            former.removeIf(it -> !it.until().plus(REMEMBERED).isAfter(now));
            if (former.isEmpty()) {
                all.remove();
            }
        }
    }

    /** Forgets the former states of a node that is gone. */
    public void gone(String name) {
        byName.remove(name);
    }

    /**
     * {@return a check that rejects a node if it would have been rejected in a state that ended after {@code latest}}
     *
     * @param nodeRejection the rejection of one state; it must depend on the node alone
     */
    public NodeRejection since(Instant latest, NodeRejection nodeRejection) {
        return byName.isEmpty()
                ? NodeRejection.NONE
                : NodeRejection.unless(node -> wasSuitable(node, latest, nodeRejection), UNSETTLED);
    }

    private boolean wasSuitable(Node node, Instant latest, NodeRejection nodeRejection) {
        Deque<Former> former = byName.get(node.name());
        return former == null
                || former.stream()
                        .filter(it -> it.until().isAfter(latest))
                        .allMatch(it -> it.node()
                                .filter(state -> nodeRejection.to(state).isEmpty())
                                .isPresent());
    }

    /** {@return the number of nodes with former states} */
    public int size() {
        return byName.size();
    }
}
