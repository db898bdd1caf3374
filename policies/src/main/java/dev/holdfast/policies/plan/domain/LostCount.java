package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Node;
import java.time.Instant;
import java.util.Optional;

/** How many of the nodes that a rule counts in the cluster or in one domain are lost: not Ready, or vanished lately. */
public final class LostCount {
    /** With fewer lost nodes, nothing is unhealthy. */
    static final int FEWEST_LOST = 2;

    private static final int TENTH = 10;

    private final String where;
    private int nodes;
    private int lost;
    private Optional<Instant> forgotten = Optional.empty();

    LostCount(String where) {
        this.where = where;
    }

    /** Counts a node that exists. */
    void add(Node node) {
        nodes++;
        lost += node.ready() ? 0 : 1;
        StoppedNodes.countsUntil(node).ifPresent(this::forgottenAt);
    }

    /** Counts a node that vanished. */
    void add(VanishedNodes.Vanished vanished) {
        nodes++;
        lost++;
        forgottenAt(vanished.at().plus(VanishedNodes.REMEMBERED));
    }

    private void forgottenAt(Instant at) {
        forgotten = forgotten.filter(at::isAfter).or(() -> Optional.of(at));
    }

    boolean isUnhealthy() {
        return lost >= FEWEST_LOST && lost * TENTH > nodes;
    }

    /**
     * {@return when the first of the lost nodes no longer counts that vanished or are stopped on purpose; absent if
     * there is none}
     */
    public Optional<Instant> firstForgotten() {
        return forgotten;
    }

    /** {@return for example: 3 of the 12 nodes that this rule counts in topology.kubernetes.io/zone=a} */
    @Override
    public String toString() {
        return lost + " of the " + nodes + " nodes that this rule counts in " + where;
    }
}
