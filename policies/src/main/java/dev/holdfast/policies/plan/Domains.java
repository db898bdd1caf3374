package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.ClusterView;

/**
 * What is known of domains beyond the nodes as they are.
 *
 * @param spreads who says which of them break a spread
 */
public record Domains(DomainHistory history, SpreadFinder spreads) {
    /** {@return what the nodes of a view tell of themselves, the rest asked of {@code evaluate}} */
    static Domains judged(ClusterView view) {
        return new Domains(new DomainHistory(view), new JudgedSpreads(view));
    }
}
