package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;

/** Pods that are held to one rule and have the same verdict on it. Valid until the index takes the next event. */
public interface RuleOwners {
    /** {@return the number of these pods} */
    int size();

    /** {@return whether these pods were not held to the rule before the change; true for new pods too} */
    default boolean areNew() {
        return false;
    }

    /** Calls the visitor for each of these pods, in no particular order. */
    void forEach(Visitor visitor);

    /** Receives one pod, and the rule that the pod is held to, with the settings of each policy for the rule. */
    @FunctionalInterface
    interface Visitor {
        void see(Pod pod, AppliedRule rule);
    }
}
