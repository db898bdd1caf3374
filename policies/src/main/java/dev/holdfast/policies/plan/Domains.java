package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.ClusterView;
import java.util.List;

/**
 * What is known of domains beyond the nodes as they are.
 *
 * @param spreads who says which of them break a spread
 * @param health how many of their nodes are lost
 */
public record Domains(DomainHistory history, SpreadFinder spreads, NodeHealth health) {
    /** {@return what the nodes of a view tell of themselves, the rest asked of {@code evaluate}} */
    static Domains judged(ClusterView view) {
        return new Domains(new DomainHistory(view), new JudgedSpreads(view), new NodeHealth(view, List.of()));
    }
}
