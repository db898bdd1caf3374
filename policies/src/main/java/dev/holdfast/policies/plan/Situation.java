package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.ClusterView;
import java.time.Instant;
import java.util.Set;

/**
 * What a candidate is held against.
 *
 * @param execution the view without the pods that are no partners of anti-affinity while pods run
 * @param moves those in flight and those remembered, the ones chosen earlier in the same plan included
 * @param domains of the view's nodes
 * @param protectedNamespaces pods in them are never victims
 */
public record Situation(
        ClusterView view,
        ClusterView execution,
        Domains domains,
        Moves moves,
        Limits limits,
        Set<String> protectedNamespaces,
        Instant now) {
    /** A situation in which nothing is known of domains yet. */
    public Situation(
            ClusterView view,
            ClusterView execution,
            Moves moves,
            Limits limits,
            Set<String> protectedNamespaces,
            Instant now) {
        this(view, execution, new Domains(view), moves, limits, protectedNamespaces, now);
    }

    /** {@return the same situation with these moves} */
    Situation with(Moves others) {
        return new Situation(view, execution, domains, others, limits, protectedNamespaces, now);
    }
}
