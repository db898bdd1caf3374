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
    /** The hash code of the pod's UID, cached because reading the UID itself follows two more references. */
    final int uidHash;

    Pod pod;
    LabelVariant labelVariant;
    int placeInVariant;

    /** The node that the pod is bound to; null for an unbound pod. */
    @Nullable
    NodeEntry node;

    int placeOnNode;

    /** The group of pods with the same anti-affinity terms in their spec; null for a pod without such terms. */
    ExistingAntiAffinity.@Nullable PodsWithTerms podsWithTerms;

    int placeAmongRepellers;

    ResolvedRules resolvedRules = ResolvedRules.NONE;

    /** Whether the pod is in the counts of the rules that have it as a partner. */
    boolean counted;

    PodEntry(Pod pod, LabelVariant labelVariant) {
        this.uidHash = pod.uid().hashCode();
        this.pod = pod;
        this.labelVariant = labelVariant;
    }

    /**
     * {@return the node on which the pod counts as a partner (W-1 to W-3); empty if the pod is unbound or finished, or
     * if its node does not exist}
     */
    public Optional<Node> countsOn() {
        return node != null && pod.counts() ? node.node() : Optional.empty();
    }

    /**
     * {@return the node on which the pod's own rules are evaluated; empty if they are not evaluated, as for a
     * terminating pod}
     */
    public Optional<Node> judgedOn() {
        return pod.terminating() ? Optional.empty() : countsOn();
    }

    /** {@return the rule owner as a pod entry; every rule owner in the index is a pod entry} */
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

    /** {@return whether the pod is in the counts of the rules that have it as a partner} */
    public boolean isCounted() {
        return counted;
    }

    /** {@return the pods on the same node, including this pod; empty while this pod is bound to no node} */
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

    /**
     * Holds the pod to other rules from now on. For a rule that it was held to before, too, the pod keeps its verdict
     * group (rule owners that always have the same verdict).
     */
    void take(ResolvedRulesChange to) {
        moveTo(to.slots(), to.after().size());
        resolvedRules = to.after();
    }

    /**
     * {@return whether a relabelled pod can stay in its verdict groups (rule owners that always have the same verdict)}
     * The pod can stay if two things are unchanged: its live rules (rules with partner counts), and which of these
     * rules have the pod as a partner.
     *
     * @param before the label variant of the old labels
     * @param after the resolved rules for the new labels
     */
    boolean canStayInGroups(LabelVariant before, ResolvedRules after) {
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
