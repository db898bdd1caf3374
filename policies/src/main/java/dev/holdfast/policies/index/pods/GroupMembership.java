package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.Holders;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.index.change.VerdictListener.Ending;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts holders into the groups whose verdict they share, and tells where that changed their own. A holder rises before
 * the groups whose counts its event has changed are looked at, and sits down again after that, so that its verdict before
 * is compared with its verdict after and nothing between.
 */
final class GroupMembership {
    private final VerdictListener listener;

    GroupMembership(VerdictListener listener) {
        this.listener = listener;
    }

    /** What was asked for a pod that rose, and which of it was broken. */
    record Risen(ResolvedRules resolvedRules, BitSet broken) {}

    private static final BitSet NOTHING = new BitSet(0);

    /** Takes a pod out of all its groups. */
    Risen rise(PodEntry pod) {
        BitSet broken = NOTHING;
        for (int slot = 0; slot < pod.slots(); slot++) {
            if (pod.broken(slot)) {
                broken = broken.isEmpty() ? new BitSet(pod.slots()) : broken;
                broken.set(slot);
            }
            pod.rise(slot);
        }
        return new Risen(pod.resolvedRules, broken);
    }

    /** Seats a pod for the first time. */
    void seatNew(PodEntry pod, FactChange factChange) {
        seat(pod, new Risen(ResolvedRules.NONE, NOTHING), factChange);
    }

    /** Seats a pod by its present profile. */
    void seat(PodEntry pod, Risen risen, FactChange factChange) {
        ResolvedRules resolvedRules = pod.resolvedRules;
        pod.makeSlots(resolvedRules.size());
        Optional<Node> node = pod.judgedOn();
        int before = 0;
        for (int slot = 0; slot < resolvedRules.size(); slot++) {
            HeldRule rule = resolvedRules.rule(slot);
            before = endUntil(rule.identity(), risen, before, pod, factChange);
            boolean asked = before < risen.resolvedRules().size()
                    && risen.resolvedRules().rule(before).identity().equals(rule.identity());
            boolean was = asked && wasBroken(risen, before);
            LiveRule live = resolvedRules.live(slot);
            pod.sit(slot, node.isPresent() && live != null ? live.seat(pod, node.get()) : null);
            tell(pod, rule, was, pod.broken(slot), node.isPresent(), factChange);
            if (asked) {
                HeldRule known = risen.resolvedRules().rule(before++);
                if (was && pod.broken(slot) && !known.asks().equals(rule.asks())) {
                    listener.reasked(pod.pod, known, rule, factChange);
                }
            }
        }
        endUntil(null, risen, before, pod, factChange);
    }

    /**
     * Seats a pod by another profile where no count has changed: it keeps its seats for the rules that it still has. A rule
     * that is the same but for the order in which it is written may have become another live rule; it goes on there.
     *
     * @param to from the pod's present profile
     */
    void reseat(PodEntry pod, ResolvedRulesChange to, FactChange factChange) {
        ResolvedRules before = to.before();
        ResolvedRules after = to.after();
        BitSet was = NOTHING;
        for (int slot = 0; slot < before.size(); slot++) {
            int now = to.slot(slot);
            if (now == ResolvedRulesChange.GONE) {
                tellNotAsked(pod, slot, factChange);
            } else if (pod.broken(slot)) {
                was = was.isEmpty() ? new BitSet(after.size()) : was;
                was.set(now);
            }
            if (now == ResolvedRulesChange.GONE || !to.keeps(now)) {
                pod.rise(slot);
            }
        }
        pod.take(to);
        Optional<Node> node = pod.judgedOn();
        for (int slot = to.nextNew(0); slot < after.size(); slot = to.nextNew(slot + 1)) {
            LiveRule live = after.live(slot);
            if (live != null && node.isPresent()) {
                pod.sit(slot, live.seat(pod, node.get()));
            }
            tell(pod, after.rule(slot), was.get(slot), pod.broken(slot), node.isPresent(), factChange);
        }
        tellReasked(pod, to, was, factChange);
    }

    private void tellNotAsked(PodEntry pod, int slot, FactChange factChange) {
        if (pod.broken(slot)) {
            listener.mended(new One(pod, pod.resolvedRules.rule(slot)), Ending.NOT_ASKED, factChange);
        }
    }

    private void tellReasked(PodEntry pod, ResolvedRulesChange to, BitSet was, FactChange factChange) {
        if (was.isEmpty()) {
            return;
        }
        for (int slot = 0; slot < to.before().size(); slot++) {
            int now = to.slot(slot);
            if (now != ResolvedRulesChange.GONE && was.get(now) && pod.broken(now)) {
                HeldRule known = to.before().rule(slot);
                HeldRule rule = to.after().rule(now);
                if (!known.asks().equals(rule.asks())) {
                    listener.reasked(pod.pod, known, rule, factChange);
                }
            }
        }
    }

    /** Tells of what was broken for a pod that is gone. */
    void gone(PodEntry pod, Risen risen, FactChange factChange) {
        for (int slot = 0; slot < risen.resolvedRules().size(); slot++) {
            tell(pod, risen.resolvedRules().rule(slot), wasBroken(risen, slot), false, false, factChange);
        }
    }

    /** Both profiles are in the order of identities: ends the rules that are in the old one alone. */
    private int endUntil(@Nullable RuleIdentity next, Risen risen, int from, PodEntry pod, FactChange factChange) {
        int at = from;
        while (at < risen.resolvedRules().size()
                && (next == null || risen.resolvedRules().rule(at).identity().compareTo(next) < 0)) {
            if (wasBroken(risen, at)) {
                listener.mended(new One(pod, risen.resolvedRules().rule(at)), Ending.NOT_ASKED, factChange);
            }
            at++;
        }
        return at;
    }

    private static boolean wasBroken(Risen risen, int slot) {
        return risen.broken().get(slot);
    }

    private void tell(PodEntry pod, HeldRule rule, boolean was, boolean is, boolean judged, FactChange factChange) {
        if (is && !was) {
            listener.broken(new One(pod, rule), factChange);
        } else if (was && !is) {
            listener.mended(new One(pod, rule), judged ? Ending.SATISFIED : Ending.UNDETERMINED, factChange);
        }
    }

    private record One(PodEntry pod, HeldRule rule) implements Holders {
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
