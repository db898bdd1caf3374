package dev.holdfast.policies.plan;

import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Collections;
import java.util.Set;

/** What must be judged again together after a move. While a move is under way, nothing else in its scope moves. */
public sealed interface Scope {
    /** {@return whether a move in one scope can change the verdicts of the other} */
    default boolean meets(Scope other) {
        return switch (this) {
            case Alone _ -> false;
            case Group _ -> equals(other);
            case Conflicting(Set<String> uids) ->
                other instanceof Conflicting(Set<String> others) && !Collections.disjoint(uids, others);
        };
    }

    /** A node rule: no other pod's verdict depends on the move. */
    record Alone() implements Scope {}

    /**
     * An affinity term set or a spread constraint, over all domains.
     *
     * @param rule the rule with its matchLabelKeys merged, so that two revisions of a workload are two groups
     * @param namespace the rule owner's, to which the rule's selectors relate
     */
    record Group(RuleIdentity rule, String namespace) implements Scope {}

    /** The connected set of conflicting pods, whatever their anti-affinity terms, by UID. */
    record Conflicting(Set<String> uids) implements Scope {
        public Conflicting {
            uids = Set.copyOf(uids);
        }
    }
}
