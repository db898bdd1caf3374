package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import java.util.List;

/**
 * What some policies ask of pods with one scheduling, whatever their labels: shared by all variants of a workload.
 *
 * @param rules in the order of their identities
 */
record RuleSet(Key key, List<HeldRule> rules) {
    RuleSet {
        rules = List.copyOf(rules);
    }

    /** @param policies those that select the pods, by id */
    record Key(Scheduling scheduling, List<Policy> policies) {
        /** By the names of policies alone: what they say may be long, and only editions of one policy share its name. */
        @Override
        public int hashCode() {
            int hash = scheduling.hashCode();
            for (Policy policy : policies) {
                hash = 31 * hash + policy.id().hashCode();
            }
            return hash;
        }
    }
}
