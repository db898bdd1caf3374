package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The scope of a move: the pods whose verdicts it may change. While a move is in flight, no other pod in its scope
 * moves.
 */
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

    /** Most scopes in a plan have no pod in common, so only the smaller set is iterated. */
    private static boolean haveOneInCommon(Set<String> some, Set<String> others) {
        Set<String> smaller = some.size() < others.size() ? some : others;
        Set<String> larger = some.size() < others.size() ? others : some;
        return smaller.stream().anyMatch(larger::contains);
    }

    /** A node rule: no other pod's verdict depends on the move. */
    record Alone() implements Scope {}

    /**
     * An affinity term set or a spread constraint, over all domains. Rule owners for which it matches the same pods are
     * in one group.
     *
     * @param rule the rule, with matchLabelKeys of affinity merged
     * @param namespace the rule owner's namespace if the rule refers to it; absent if the rule names other namespaces
     * @param labels the rule owner's labels for the matchLabelKeys of a spread constraint: two revisions are two groups
     */
    record Group(RuleIdentity rule, Optional<String> namespace, Map<String, String> labels) implements Scope {
        public Group {
            labels = Map.copyOf(labels);
        }

        /**
         * {@return the group of an affinity rule}
         *
         * @param rule with its matchLabelKeys merged
         * @param identity the identity of this rule
         */
        public static Group of(Rule.PodAffinity rule, RuleIdentity identity, Pod owner) {
            // A partner must match all terms, so one term for the owner's namespace restricts all partners to it.
            boolean own = rule.terms().stream().anyMatch(PodAffinityTerm::ofOwnNamespace);
            return new Group(identity, own ? Optional.of(owner.namespace()) : Optional.empty(), Map.of());
        }

        /**
         * {@return the group of a spread constraint for the present labels of its rule owner}
         *
         * @param identity the identity of this constraint
         */
        public static Group of(Rule.TopologySpread rule, RuleIdentity identity, Pod owner) {
            Map<String, String> labels = new TreeMap<>();
            for (String key : rule.constraint().matchLabelKeys()) {
                owner.labels().get(key).ifPresent(value -> labels.put(key, value));
            }
            return new Group(identity, Optional.of(owner.namespace()), labels);
        }
    }

    /** The connected set of conflicting pods, by UID, regardless of their anti-affinity terms. */
    record Conflicting(Set<String> uids) implements Scope {
        public Conflicting {
            uids = Set.copyOf(uids);
        }
    }
}
