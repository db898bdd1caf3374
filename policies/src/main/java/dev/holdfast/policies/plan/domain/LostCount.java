package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Node;
import java.time.Instant;
import java.util.Optional;

/**
 * The number of lost nodes (not Ready, or vanished lately) among those that a rule counts in the cluster or a domain.
 */
public final class LostCount {
    /** The minimum number of lost nodes for an unhealthy cluster or domain. */
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

    /** {@return when the first vanished or purposely stopped node no longer counts as lost; empty if there is none} */
    public Optional<Instant> firstForgotten() {
        return forgotten;
    }

    /** {@return for example: 3 of the 12 nodes that this rule counts in topology.kubernetes.io/zone=a} */
    @Override
    public String toString() {
        return lost + " of the " + nodes + " nodes that this rule counts in " + where;
    }
}
