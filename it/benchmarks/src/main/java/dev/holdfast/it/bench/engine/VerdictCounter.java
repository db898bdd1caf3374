package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.Holders;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;

/**
 * Counts the verdict changes of an index: how many rules of pods began or ceased to be violated. Lists no rule owners.
 */
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
    public void broken(Holders holders, FactChange factChange) {
        broken += holders.size();
    }

    @Override
    public void mended(Holders holders, Ending ending, FactChange factChange) {
        mended += holders.size();
    }

    @Override
    public void reasked(Pod pod, HeldRule before, HeldRule after, FactChange factChange) {
        // Still violated: nothing to count.
    }
}
