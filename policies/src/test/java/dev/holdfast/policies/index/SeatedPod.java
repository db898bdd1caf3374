package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Facts.pod;

import dev.holdfast.policies.rule.HeldRule;

/** A holder of one rule that is kept nowhere else. */
final class SeatedPod extends Holder {
    private final boolean partner;

    /** @param partner whether the rule counts it */
    SeatedPod(String name, boolean partner) {
        super(pod(name));
        this.partner = partner;
        makeSlots(1);
    }

    @Override
    HeldRule rule(int slot) {
        throw new UnsupportedOperationException();
    }

    @Override
    boolean isMatchedBy(LiveRule rule) {
        return partner;
    }
}
