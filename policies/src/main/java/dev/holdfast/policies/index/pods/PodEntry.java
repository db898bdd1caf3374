package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.RuleOwner;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A pod in the index, with its position in each list that contains it, so that removal needs no search. */
public final class PodEntry extends RuleOwner {
    /** Cached, because reading the UID itself follows two more references. */
    final int uidHash;

    Pod pod;
    LabelVariant labelVariant;
    int placeInVariant;

    /** Null while the pod is bound to no node. */
    @Nullable
    NodeEntry node;

    int placeOnNode;

    /** The pods with the same anti-affinity of their own; null for a pod without any. */
    ExistingAntiAffinity.@Nullable Repeller repeller;

    int placeAmongRepellers;

    ResolvedRules resolvedRules = ResolvedRules.NONE;

    /** Whether the pod is in the counts of the rules that match it. */
    boolean counted;

    PodEntry(Pod pod, LabelVariant labelVariant) {
        this.uidHash = pod.uid().hashCode();
        this.pod = pod;
        this.labelVariant = labelVariant;
    }

    /** {@return the node on which the pod counts as a partner (W-1 to W-3); empty if it does not count} */
    public Optional<Node> countsOn() {
        return node != null && pod.counts() ? node.node() : Optional.empty();
    }

    /** {@return the node on which the pod's own rules are evaluated; empty if there is no verdict} */
    public Optional<Node> judgedOn() {
        return pod.terminating() ? Optional.empty() : countsOn();
    }

    /** {@return the holder as an entry; every holder in the index is one} */
    public static PodEntry of(RuleOwner ruleOwner) {
        return (PodEntry) ruleOwner;
    }

    @Override
    public Pod pod() {
        return pod;
    }

    /** {@return the rules that the pod is held to} */
    public ResolvedRules resolvedRules() {
        return resolvedRules;
    }

    /** {@return whether the pod is in the counts of the rules that match it} */
    public boolean isCounted() {
        return counted;
    }

    /** {@return the pods on the same node, including this one; empty while it is bound to no node} */
    public Iterable<PodEntry> entriesOnNode() {
        return node == null ? List.of() : node.pods;
    }

    /** {@return whether both pods are bound to the same node, or both to none} */
    public boolean sharesNodeWith(PodEntry other) {
        return node == other.node;
    }

    /** Calls the action for each rule that has the pod as a partner. */
    public void forEachMatch(Consumer<LiveRule> action) {
        labelVariant.forEachMatch(action);
    }

    @Override
    public AppliedRule rule(int slot) {
        return resolvedRules.rule(slot);
    }

    @Override
    public boolean isMatchedBy(LiveRule rule) {
        return labelVariant.isMatchedBy(rule);
    }

    /** Switches to other resolved rules; the pod stays in its groups for the rules that are in both. */
    void take(ResolvedRulesChange to) {
        moveTo(to.slots(), to.after().size());
        resolvedRules = to.after();
    }

    /**
     * {@return whether a relabelled pod can stay in its groups} It can if its live rules are the same, and if for each
     * of them it was a partner exactly if it is one now.
     */
    boolean keepsSeats(LabelVariant before, ResolvedRules after) {
        if (resolvedRules.ruleSet() != after.ruleSet()) {
            return false;
        }
        for (int slot = 0; slot < after.size(); slot++) {
            LiveRule live = after.live(slot);
            if (live != resolvedRules.live(slot)
                    || (live != null && before.isMatchedBy(live) != labelVariant.isMatchedBy(live))) {
                return false;
            }
        }
        return true;
    }
}
