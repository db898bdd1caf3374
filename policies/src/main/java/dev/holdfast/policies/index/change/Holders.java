package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;

/** Pods that hold one rule and share its verdict. Valid while the index hears no further event. */
public interface Holders {
    /** {@return how many there are} */
    int size();

    /** Shows each holder, in no particular order. */
    void forEach(Visitor visitor);

    /** Sees one holder of a rule. */
    @FunctionalInterface
    interface Visitor {
        void see(Pod pod, HeldRule rule);
    }
}
