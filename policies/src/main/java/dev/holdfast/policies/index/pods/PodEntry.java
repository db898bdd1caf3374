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
    Variant variant;
    int placeInVariant;

    /** Absent while the pod is bound to no node. */
    @Nullable
    NodeEntry node;

    int placeOnNode;

    /** Only of a pod with anti-affinity of its own: whom it keeps out together with others. */
    Repellers.@Nullable Repeller repeller;

    int placeAmongRepellers;

    Profile profile = Profile.NONE;

    /** Whether the pod is in the counts of the rules that match it. */
    boolean counted;

    PodEntry(Pod pod, Variant variant) {
        this.uidHash = pod.uid().hashCode();
        this.pod = pod;
        this.variant = variant;
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
    public Profile profile() {
        return profile;
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
        variant.forEachMatch(action);
    }

    @Override
    public HeldRule rule(int slot) {
        return profile.rule(slot);
    }

    @Override
    public boolean isMatchedBy(LiveRule rule) {
        return variant.isMatchedBy(rule);
    }

    /** Takes another profile, and the seats along for the rules that are in both. */
    void take(ProfileChange to) {
        moveTo(to.slots(), to.after().size());
        profile = to.after();
    }

    /**
     * {@return whether a pod that was relabelled where it is can stay in its groups: its profile after has the same live rules,
     * and it is for each of them a partner exactly if it was one}
     */
    boolean keepsSeats(Variant before, Profile after) {
        if (profile.ruleSet() != after.ruleSet()) {
            return false;
        }
        for (int slot = 0; slot < after.size(); slot++) {
            LiveRule live = after.live(slot);
            if (live != profile.live(slot) || (live != null && before.isMatchedBy(live) != variant.isMatchedBy(live))) {
                return false;
            }
        }
        return true;
    }
}
