package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What must be judged again together after a move. While a move is under way, nothing else in its scope moves. */
public sealed interface Scope {
    /** {@return whether a move in one scope can change the verdicts of the other} */
    default boolean meets(Scope other) {
        return switch (this) {
            case Alone _ -> false;
            case Group _ -> equals(other);
            case Conflicting(Set<String> uids) ->
                other instanceof Conflicting(Set<String> others) && haveOneInCommon(uids, others);
        };
    }

    /** In a plan most scopes are compared that have nothing in common: the larger one is not looked through. */
    private static boolean haveOneInCommon(Set<String> some, Set<String> others) {
        Set<String> smaller = some.size() < others.size() ? some : others;
        Set<String> larger = some.size() < others.size() ? others : some;
        return smaller.stream().anyMatch(larger::contains);
    }

    /** A node rule: no other pod's verdict depends on the move. */
    record Alone() implements Scope {}

    /**
     * An affinity term set or a spread constraint, over all domains: owners for whom it means the same pods are one
     * group.
     *
     * @param rule the rule, matchLabelKeys of affinity merged
     * @param namespace the rule owner's, where the rule speaks of that; absent where it names namespaces itself
     * @param labels the rule owner's under the matchLabelKeys of a spread constraint: two revisions are two groups
     */
    record Group(RuleIdentity rule, Optional<String> namespace, Map<String, String> labels) implements Scope {
        public Group {
            labels = Map.copyOf(labels);
        }

        /**
         * {@return the group of a rule whose matchLabelKeys are merged}
         *
         * @param identity of this rule
         */
        public static Group of(Rule.PodAffinity rule, RuleIdentity identity, Pod owner) {
            // A partner must match all terms, so one that speaks of the own namespace keeps all partners in it.
            boolean own = rule.terms().stream().anyMatch(PodAffinityTerm::ofOwnNamespace);
            return new Group(identity, own ? Optional.of(owner.namespace()) : Optional.empty(), Map.of());
        }

        /**
         * {@return the group of a constraint, for its owner as it is now}
         *
         * @param identity of this constraint
         */
        public static Group of(Rule.TopologySpread rule, RuleIdentity identity, Pod owner) {
            Map<String, String> labels = new TreeMap<>();
            for (String key : rule.constraint().matchLabelKeys()) {
                owner.labels().get(key).ifPresent(value -> labels.put(key, value));
            }
            return new Group(identity, Optional.of(owner.namespace()), labels);
        }
    }

    /** The connected set of conflicting pods, whatever their anti-affinity terms, by UID. */
    record Conflicting(Set<String> uids) implements Scope {
        public Conflicting {
            uids = Set.copyOf(uids);
        }
    }
}
