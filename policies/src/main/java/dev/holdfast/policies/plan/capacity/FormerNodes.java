package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Taint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The states that nodes had within the last five minutes. A node takes a pod only if it would also have taken it in
 * each of these states: a node that has just been uncordoned or relabelled may soon be as before.
 *
 * <p>Example: the settle time is 300 s, and node n2 got the label {@code disk=ssd} 20 s ago. Before, n2 had {@code
 * disk=hdd}. A pod that requires {@code disk=ssd} waits for n2 another 280 s. A pod without that rule does not wait.
 *
 * <p>Owned by one thread.
 */
public final class FormerNodes {
    /** The longest time for which a former state counts. */
    public static final Duration REMEMBERED = Duration.ofMinutes(5);

    /** The maximum number of former states of one node. Of a node that has more, the last ones count. */
    private static final int MOST = 16;

    /** The maximum number of former states of all nodes. */
    private static final int MOST_ENDS = 100_000;

    private static final String UNSETTLED = "suitable for too short a time";

    private final Map<String, SequencedMap<State, Instant>> byName = new HashMap<>();

    /** The ends of former states in order of time, so that old states are found without looking at all nodes. */
    private final Deque<End> ends = new ArrayDeque<>();

    /**
     * The properties of a node that decide which pods it takes. Two nodes with equal states are in the same state, so
     * that a label that flaps between two values makes two states.
     */
    private record State(
            Labels labels, List<Taint> taints, boolean unschedulable, Resources allocatable, boolean closed) {
        static State of(Node node) {
            return new State(
                    node.labels(),
                    node.taints(),
                    node.unschedulable(),
                    node.allocatable(),
                    LeavingNodes.closed(node).isPresent());
        }

        /** {@return the node as it was in this state, as far as it decides which pods it takes} */
        Node on(Node present) {
            return new Node(
                    present.name(),
                    present.uid(),
                    present.resourceVersion(),
                    labels,
                    taints,
                    unschedulable,
                    present.life(),
                    allocatable);
        }
    }

    /** The end of a former state of a node. */
    private record End(String node, State state, Instant at) {}

    /** Records the state of a node that changes now. Changes that make no difference for pods are ignored. */
    public void changed(Node before, Node after, Instant now) {
        State former = State.of(before);
        if (former.equals(State.of(after))) {
            return;
        }
        SequencedMap<State, Instant> states = byName.computeIfAbsent(before.name(), _ -> new LinkedHashMap<>());
        states.putLast(former, now);
        if (states.size() > MOST) {
            states.pollFirstEntry();
        }
        ends.addLast(new End(before.name(), former, now));
    }

    /** Forgets the states that ended five minutes ago or earlier, and the oldest of very many. */
    public void forget(Instant now) {
        while (!ends.isEmpty()
                && (ends.size() > MOST_ENDS
                        || !ends.getFirst().at().plus(REMEMBERED).isAfter(now))) {
            End end = ends.removeFirst();
            byName.computeIfPresent(end.node(), (_, states) -> {
                states.remove(end.state(), end.at());
                return states.isEmpty() ? null : states;
            });
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
        SequencedMap<State, Instant> states = byName.get(node.name());
        return states == null
                || states.entrySet().stream()
                        .filter(former -> former.getValue().isAfter(latest))
                        .allMatch(former -> !former.getKey().closed()
                                && nodeRejection.to(former.getKey().on(node)).isEmpty());
    }

    /** {@return the number of nodes with former states} */
    public int size() {
        return byName.size();
    }
}
