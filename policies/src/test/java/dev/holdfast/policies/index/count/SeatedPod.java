package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.testing.Facts;

/** A holder of one rule that is kept nowhere else. */
final class SeatedPod extends Holder {
    private final Pod pod;
    private final boolean partner;

    /** @param partner whether the rule counts it */
    SeatedPod(String name, boolean partner) {
        this.pod = Facts.pod(name);
        this.partner = partner;
        makeSlots(1);
    }

    @Override
    public Pod pod() {
        return pod;
    }

    @Override
    public HeldRule rule(int slot) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isMatchedBy(LiveRule rule) {
        return partner;
    }
}
