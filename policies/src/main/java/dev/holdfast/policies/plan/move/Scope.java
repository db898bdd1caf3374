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
 * The scope of a move: the pods whose verdicts the move may change. No other pod of the scope moves until the
 * replacement is bound.
 */
public sealed interface Scope {
    /** {@return whether a move in this scope can change verdicts of pods in the other scope} */
    default boolean meets(Scope other) {
        return switch (this) {
            case Alone _ -> false;
            case SameRule _ -> equals(other);
            case Conflicting(Set<String> uids) ->
                other instanceof Conflicting(Set<String> others) && haveOneInCommon(uids, others);
        };
    }

    /** {@return whether the sets share a pod UID} Usually the sets share none, so only the smaller one is iterated. */
    private static boolean haveOneInCommon(Set<String> some, Set<String> others) {
        Set<String> smaller = some.size() < others.size() ? some : others;
        Set<String> larger = some.size() < others.size() ? others : some;
        return smaller.stream().anyMatch(larger::contains);
    }

    /** The scope of a rule about nodes: the move changes the verdict of no other pod. */
    record Alone() implements Scope {}

    /**
     * The scope of a pod affinity rule or a spread constraint: its rule owners in all domains. Two rule owners have the
     * same scope if the rule matches the same pods for both.
     *
     * @param rule the identity of the rule, with matchLabelKeys merged if it is an affinity rule
     * @param namespace the rule owner's namespace if all partners must be in it; absent if each term selects namespaces
     *     itself
     * @param labels for a spread constraint, the rule owner's labels under its matchLabelKeys, for example {@code
     *     pod-template-hash}: each revision has its own scope. Empty for affinity
     */
    record SameRule(RuleIdentity rule, Optional<String> namespace, Map<String, String> labels) implements Scope {
        public SameRule {
            labels = Map.copyOf(labels);
        }

        /**
         * {@return the scope of an affinity rule of this owner}
         *
         * @param rule with its matchLabelKeys merged into its label selectors
         * @param identity the identity of the merged rule
         */
        public static SameRule of(Rule.PodAffinity rule, RuleIdentity identity, Pod owner) {
            // A partner must match all terms, so one term for the owner's namespace restricts all partners to it.
            boolean own = rule.terms().stream().anyMatch(PodAffinityTerm::ofOwnNamespace);
            return new SameRule(identity, own ? Optional.of(owner.namespace()) : Optional.empty(), Map.of());
        }

        /**
         * {@return the scope of a spread constraint of this owner, by the owner's present labels}
         *
         * @param identity the identity of this constraint
         */
        public static SameRule of(Rule.TopologySpread rule, RuleIdentity identity, Pod owner) {
            Map<String, String> labels = new TreeMap<>();
            for (String key : rule.constraint().matchLabelKeys()) {
                owner.labels().get(key).ifPresent(value -> labels.put(key, value));
            }
            return new SameRule(identity, Optional.of(owner.namespace()), labels);
        }
    }

    /**
     * The scope of an anti-affinity rule: all pods that conflicts connect, whichever terms cause these conflicts. If
     * pod a conflicts with b, and b with c, then all three are in one scope.
     *
     * @param uids the UIDs of these pods
     */
    record Conflicting(Set<String> uids) implements Scope {
        public Conflicting {
            uids = Set.copyOf(uids);
        }
    }
}
