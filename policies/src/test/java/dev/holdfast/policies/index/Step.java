package dev.holdfast.policies.index;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;

/** One step of a history: an event, or a change of a policy. */
sealed interface Step {
    record Fact(ClusterEvent event) implements Step {
        @Override
        public String toString() {
            return event.toString();
        }
    }

    record PolicyPut(Policy policy) implements Step {
        @Override
        public String toString() {
            return "policy " + policy.id() + " " + policy.mode() + " podRules="
                    + policy.podRules().keySet() + " rules=" + policy.rules();
        }
    }

    record PolicyRemoved(PolicyId policy) implements Step {}
}
