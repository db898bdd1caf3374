package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.index.change.VerdictListener.Ending;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Adds pods to verdict groups (pods that share their verdict on a rule), removes pods from them, and reports each
 * verdict of these pods that changes.
 *
 * <p>A pod that an event affects leaves its groups before the groups with changed counts are evaluated, and joins
 * groups again after that. So its verdict before the event is compared with its verdict after the event, without
 * intermediate verdicts.
 */
final class GroupMembership {
    private final VerdictListener listener;

    GroupMembership(VerdictListener listener) {
        this.listener = listener;
    }

    /**
     * The state of a pod before it left its verdict groups, to find out later which of its verdicts an event changed.
     *
     * @param resolvedRules the rules that the pod was held to, sorted by rule identity
     * @param broken the slots (positions in {@code resolvedRules}) of the rules that the pod violated
     */
    record BeforeLeaving(ResolvedRules resolvedRules, BitSet broken) {}

    private static final BitSet NOTHING = new BitSet(0);

    /** Removes a pod from all its verdict groups, and returns its state before that. */
    BeforeLeaving leave(PodEntry pod) {
        BitSet broken = NOTHING;
        for (int slot = 0; slot < pod.slots(); slot++) {
            if (pod.broken(slot)) {
                broken = broken.isEmpty() ? new BitSet(pod.slots()) : broken;
                broken.set(slot);
            }
            pod.leave(slot);
        }
        return new BeforeLeaving(pod.resolvedRules, broken);
    }

    /** Adds a new pod to the verdict groups for its resolved rules, and reports the rules that it violates. */
    void joinNew(PodEntry pod, FactChange factChange) {
        join(pod, new BeforeLeaving(ResolvedRules.NONE, NOTHING), factChange);
    }

    /**
     * Adds a pod to the verdict groups for its current resolved rules, and reports each verdict that changed since it
     * left its old groups.
     *
     * @param beforeLeaving what {@link #leave} returned for the pod
     */
    void join(PodEntry pod, BeforeLeaving beforeLeaving, FactChange factChange) {
        ResolvedRules resolvedRules = pod.resolvedRules;
        pod.makeSlots(resolvedRules.size());
        Optional<Node> node = pod.judgedOn();
        int before = 0;
        for (int slot = 0; slot < resolvedRules.size(); slot++) {
            AppliedRule rule = resolvedRules.rule(slot);
            before = endUntil(rule.identity(), beforeLeaving, before, pod, factChange);
            boolean asked = before < beforeLeaving.resolvedRules().size()
                    && beforeLeaving.resolvedRules().rule(before).identity().equals(rule.identity());
            boolean was = asked && wasBroken(beforeLeaving, before);
            LiveRule live = resolvedRules.live(slot);
            pod.joinGroup(slot, node.isPresent() && live != null ? live.join(pod, node.get()) : null);
            notifyListener(pod, rule, was, pod.broken(slot), !asked, node.isPresent(), factChange);
            if (asked) {
                AppliedRule known = beforeLeaving.resolvedRules().rule(before++);
                if (was && pod.broken(slot) && !known.requests().equals(rule.requests())) {
                    listener.requestsChanged(pod.pod, known, rule, factChange);
                }
            }
        }
        endUntil(null, beforeLeaving, before, pod, factChange);
    }

    /**
     * Gives a pod other resolved rules when no count has changed, and reports each verdict that this changes.
     *
     * <p>For a rule in both the old and the new resolved rules, the pod stays in its verdict group. Exception: the rule
     * has another live rule now (its instance with the partner counts), for example because its terms are in another
     * order. Then the pod moves to a group of that live rule.
     *
     * @param to the change from the pod's current resolved rules
     */
    void changeRules(PodEntry pod, ResolvedRulesChange to, FactChange factChange) {
        ResolvedRules before = to.before();
        ResolvedRules after = to.after();
        BitSet was = NOTHING;
        for (int slot = 0; slot < before.size(); slot++) {
            int now = to.slot(slot);
            if (now == ResolvedRulesChange.GONE) {
                notifyUnassigned(pod, slot, factChange);
            } else if (pod.broken(slot)) {
                was = was.isEmpty() ? new BitSet(after.size()) : was;
                was.set(now);
            }
            if (now == ResolvedRulesChange.GONE || !to.keeps(now)) {
                pod.leave(slot);
            }
        }
        pod.take(to);
        Optional<Node> node = pod.judgedOn();
        for (int slot = to.nextNew(0); slot < after.size(); slot = to.nextNew(slot + 1)) {
            LiveRule live = after.live(slot);
            if (live != null && node.isPresent()) {
                pod.joinGroup(slot, live.join(pod, node.get()));
            }
            boolean isNew = !to.wasHeldTo(slot);
            notifyListener(pod, after.rule(slot), was.get(slot), pod.broken(slot), isNew, node.isPresent(), factChange);
        }
        notifyReassigned(pod, to, was, factChange);
    }

    private void notifyUnassigned(PodEntry pod, int slot, FactChange factChange) {
        if (pod.broken(slot)) {
            listener.mended(new One(pod, pod.resolvedRules.rule(slot), false), Ending.NOT_REQUESTED, factChange);
        }
    }

    private void notifyReassigned(PodEntry pod, ResolvedRulesChange to, BitSet was, FactChange factChange) {
        if (was.isEmpty()) {
            return;
        }
        for (int slot = 0; slot < to.before().size(); slot++) {
            int now = to.slot(slot);
            if (now != ResolvedRulesChange.GONE && was.get(now) && pod.broken(now)) {
                AppliedRule known = to.before().rule(slot);
                AppliedRule rule = to.after().rule(now);
                if (!known.requests().equals(rule.requests())) {
                    listener.requestsChanged(pod.pod, known, rule, factChange);
                }
            }
        }
    }

    /**
     * Reports that each violation of a deleted pod ended.
     *
     * @param beforeLeaving what {@link #leave} returned for the pod
     */
    void gone(PodEntry pod, BeforeLeaving beforeLeaving, FactChange factChange) {
        for (int slot = 0; slot < beforeLeaving.resolvedRules().size(); slot++) {
            notifyListener(
                    pod,
                    beforeLeaving.resolvedRules().rule(slot),
                    wasBroken(beforeLeaving, slot),
                    false,
                    false,
                    false,
                    factChange);
        }
    }

    /**
     * Reports that violations ended because the pod is no longer held to the rule: the rule is only in the old resolved
     * rules. Old and new rules are sorted by identity and read side by side. Returns the position of the first old rule
     * that was not read.
     *
     * @param next stop before this rule, which is the next one in the new resolved rules; null to read all old rules
     * @param from the position of the first old rule to read
     */
    private int endUntil(
            @Nullable RuleIdentity next, BeforeLeaving beforeLeaving, int from, PodEntry pod, FactChange factChange) {
        int at = from;
        while (at < beforeLeaving.resolvedRules().size()
                && (next == null
                        || beforeLeaving.resolvedRules().rule(at).identity().compareTo(next) < 0)) {
            if (wasBroken(beforeLeaving, at)) {
                listener.mended(
                        new One(pod, beforeLeaving.resolvedRules().rule(at), false), Ending.NOT_REQUESTED, factChange);
            }
            at++;
        }
        return at;
    }

    private static boolean wasBroken(BeforeLeaving beforeLeaving, int slot) {
        return beforeLeaving.broken().get(slot);
    }

    private void notifyListener(
            PodEntry pod,
            AppliedRule rule,
            boolean was,
            boolean is,
            boolean isNew,
            boolean judged,
            FactChange factChange) {
        if (is && !was) {
            listener.broken(new One(pod, rule, isNew), factChange);
        } else if (was && !is) {
            listener.mended(new One(pod, rule, false), judged ? Ending.SATISFIED : Ending.UNDETERMINED, factChange);
        }
    }

    private record One(PodEntry pod, AppliedRule rule, boolean areNew) implements RuleOwners {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public void forEach(Visitor visitor) {
            visitor.see(pod.pod, rule);
        }
    }
}
