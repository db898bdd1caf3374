package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.Holder;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A pod as the index keeps it: where it is listed, so that it can be taken out without a search. */
public final class PodEntry extends Holder {
    /** Kept, since the UID itself lies two objects further. */
    final int uidHash;

    Pod pod;
    LabelVariant labelVariant;
    int placeInVariant;

    /** Absent while the pod is bound to no node. */
    @Nullable
    NodeEntry node;

    int placeOnNode;

    /** Only of a pod with anti-affinity of its own: whom it keeps out together with others. */
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

    /** {@return the node the pod counts on (W-1 to W-3)} */
    public Optional<Node> countsOn() {
        return node != null && pod.counts() ? node.node() : Optional.empty();
    }

    /** {@return the node on which the pod's rules are judged } */
    public Optional<Node> judgedOn() {
        return pod.terminating() ? Optional.empty() : countsOn();
    }

    /** {@return the entry that a holder is: the index knows no others} */
    public static PodEntry of(Holder holder) {
        return (PodEntry) holder;
    }

    @Override
    public Pod pod() {
        return pod;
    }

    /** {@return what is asked for the pod} */
    public ResolvedRules resolvedRules() {
        return resolvedRules;
    }

    /** {@return whether the pod is in the counts of the rules that match it} */
    public boolean isCounted() {
        return counted;
    }

    /** {@return the pods on the same node, this one among them; none while it is bound to no node} */
    public Iterable<PodEntry> entriesOnNode() {
        return node == null ? List.of() : node.pods;
    }

    /** {@return whether both pods are bound to the same node, or both to none} */
    public boolean sharesNodeWith(PodEntry other) {
        return node == other.node;
    }

    /** Shows all rules whose partner the pod is. */
    public void forEachMatch(Consumer<LiveRule> action) {
        labelVariant.forEachMatch(action);
    }

    @Override
    public HeldRule rule(int slot) {
        return resolvedRules.rule(slot);
    }

    @Override
    public boolean isMatchedBy(LiveRule rule) {
        return labelVariant.isMatchedBy(rule);
    }

    /** Takes another profile, and the seats along for the rules that are in both. */
    void take(ResolvedRulesChange to) {
        moveTo(to.slots(), to.after().size());
        resolvedRules = to.after();
    }

    /**
     * {@return whether a pod that was relabelled where it is can stay in its groups: its profile after has the same live rules,
     * and it is for each of them a partner exactly if it was one}
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
