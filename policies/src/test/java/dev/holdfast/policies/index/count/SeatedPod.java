package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.testing.Facts;

/** A rule owner with one rule, for tests without an index. */
final class SeatedPod extends RuleOwner {
    private final Pod pod;
    private final boolean partner;

    /** @param partner whether the pod is a partner of the rule */
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
    public AppliedRule rule(int slot) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isMatchedBy(LiveRule rule) {
        return partner;
    }
}
