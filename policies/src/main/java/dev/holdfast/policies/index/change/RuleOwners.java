package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;

/** Pods that are held to one rule and share its verdict. Valid until the index takes the next event. */
public interface RuleOwners {
    /** {@return the number of holders} */
    int size();

    /** Calls the visitor for each holder, in no particular order. */
    void forEach(Visitor visitor);

    /** Callback for one holder and the rule with its requesting policies. */
    @FunctionalInterface
    interface Visitor {
        void see(Pod pod, AppliedRule rule);
    }
}
