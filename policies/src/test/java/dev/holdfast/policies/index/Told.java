package dev.holdfast.policies.index;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * A listener that records what an index reports, one line for each pod: violations with their cause, and how they end.
 */
public final class Told implements VerdictListener {
    private final List<String> lines = new ArrayList<>();

    public List<String> lines() {
        return Collections.unmodifiableList(lines);
    }

    public void clear() {
        lines.clear();
    }

    @Override
    public void broken(RuleOwners ruleOwners, FactChange factChange) {
        ruleOwners.forEach((pod, rule) -> lines.add("broken " + pod.name().name() + ": "
                + factChange.cause(rule.rule(), pod).describe()));
    }

    @Override
    public void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange) {
        ruleOwners.forEach((pod, _) -> lines.add("mended " + pod.name().name() + ": " + ending));
    }

    @Override
    public void requestsChanged(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange) {
        lines.add("requestsChanged " + holder.name().name() + ": "
                + longestForgiveness(before).toSeconds() + " s -> "
                + longestForgiveness(after).toSeconds() + " s");
    }

    private static Duration longestForgiveness(AppliedRule rule) {
        return rule.policies()
                .map(rule::forgiveness)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }
}
