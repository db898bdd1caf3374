package dev.holdfast.policies.engine.live;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Collects the verdict changes that the incremental index reports, until {@link #take} returns them. */
public final class VerdictChanges implements VerdictListener {
    private NavigableMap<Flip, Told> flips = new TreeMap<>();

    /**
     * Whether changes are collected: only after all views have synced once, because until then the index lacks objects.
     */
    private boolean listening;

    /** A pod and a rule for which the index reported a change. Ordered by pod UID, then by rule identity. */
    public record Flip(String podUid, RuleIdentity rule) implements Comparable<Flip> {
        private static final Comparator<Flip> ORDER =
                Comparator.comparing(Flip::podUid).thenComparing(Flip::rule);

        @Override
        public int compareTo(Flip other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * The last change that the index reported for a pod and a rule.
     *
     * @param factChange the change of an object or a policy that led to the report
     * @param before the rule as policies requested it before the change; absent if their requests did not change
     */
    public record Told(FactChange factChange, Optional<AppliedRule> before) {}

    /** Collects verdict changes from now on. */
    public void listen() {
        listening = true;
    }

    @Override
    public void broken(RuleOwners ruleOwners, FactChange factChange) {
        note(ruleOwners, factChange);
    }

    @Override
    public void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange) {
        note(ruleOwners, factChange);
    }

    @Override
    public void requestsChanged(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange) {
        if (listening) {
            flips.put(new Flip(holder.uid(), after.identity()), new Told(factChange, Optional.of(before)));
        }
    }

    private void note(RuleOwners ruleOwners, FactChange factChange) {
        if (listening) {
            Told told = new Told(factChange, Optional.empty());
            ruleOwners.forEach((pod, rule) -> flips.put(new Flip(pod.uid(), rule.identity()), told));
        }
    }

    /** Returns the changes since the last call, ordered by pod UID, then by rule identity. */
    public NavigableMap<Flip, Told> take() {
        if (flips.isEmpty()) {
            return flips;
        }
        NavigableMap<Flip, Told> taken = flips;
        flips = new TreeMap<>();
        return taken;
    }
}
