package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;

/** Listener that counts verdict changes in an index: how many rules of pods began or ceased to be violated. */
final class VerdictCounter implements VerdictListener {
    private long broken;
    private long mended;

    long broken() {
        return broken;
    }

    long mended() {
        return mended;
    }

    @Override
    public void broken(RuleOwners ruleOwners, FactChange factChange) {
        broken += ruleOwners.size();
    }

    @Override
    public void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange) {
        mended += ruleOwners.size();
    }

    @Override
    public void requestsChanged(Pod pod, AppliedRule before, AppliedRule after, FactChange factChange) {
        // Still violated: nothing to count.
    }
}
