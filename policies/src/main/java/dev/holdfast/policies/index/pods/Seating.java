package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.change.Change;
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
final class Seating {
    private final VerdictListener listener;

    Seating(VerdictListener listener) {
        this.listener = listener;
    }

    /** What was asked for a pod that rose, and which of it was broken. */
    record Risen(Profile profile, BitSet broken) {}

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
        return new Risen(pod.profile, broken);
    }

    /** Seats a pod for the first time. */
    void seatNew(PodEntry pod, Change change) {
        seat(pod, new Risen(Profile.NONE, NOTHING), change);
    }

    /** Seats a pod by its present profile. */
    void seat(PodEntry pod, Risen risen, Change change) {
        Profile profile = pod.profile;
        pod.makeSlots(profile.size());
        Optional<Node> node = pod.judgedOn();
        int before = 0;
        for (int slot = 0; slot < profile.size(); slot++) {
            HeldRule rule = profile.rule(slot);
            before = endUntil(rule.identity(), risen, before, pod, change);
            boolean asked = before < risen.profile().size()
                    && risen.profile().rule(before).identity().equals(rule.identity());
            boolean was = asked && wasBroken(risen, before);
            LiveRule live = profile.live(slot);
            pod.sit(slot, node.isPresent() && live != null ? live.seat(pod, node.get()) : null);
            tell(pod, rule, was, pod.broken(slot), node.isPresent(), change);
            if (asked) {
                HeldRule known = risen.profile().rule(before++);
                if (was && pod.broken(slot) && !known.asks().equals(rule.asks())) {
                    listener.reasked(pod.pod, known, rule, change);
                }
            }
        }
        endUntil(null, risen, before, pod, change);
    }

    /**
     * Seats a pod by another profile where no count has changed: it keeps its seats for the rules that it still has. A rule
     * that is the same but for the order in which it is written may have become another live rule; it goes on there.
     *
     * @param to from the pod's present profile
     */
    void reseat(PodEntry pod, ProfileChange to, Change change) {
        Profile before = to.before();
        Profile after = to.after();
        BitSet was = NOTHING;
        for (int slot = 0; slot < before.size(); slot++) {
            int now = to.slot(slot);
            if (now == ProfileChange.GONE) {
                tellNotAsked(pod, slot, change);
            } else if (pod.broken(slot)) {
                was = was.isEmpty() ? new BitSet(after.size()) : was;
                was.set(now);
            }
            if (now == ProfileChange.GONE || !to.keeps(now)) {
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
            tell(pod, after.rule(slot), was.get(slot), pod.broken(slot), node.isPresent(), change);
        }
        tellReasked(pod, to, was, change);
    }

    private void tellNotAsked(PodEntry pod, int slot, Change change) {
        if (pod.broken(slot)) {
            listener.mended(new One(pod, pod.profile.rule(slot)), Ending.NOT_ASKED, change);
        }
    }

    private void tellReasked(PodEntry pod, ProfileChange to, BitSet was, Change change) {
        if (was.isEmpty()) {
            return;
        }
        for (int slot = 0; slot < to.before().size(); slot++) {
            int now = to.slot(slot);
            if (now != ProfileChange.GONE && was.get(now) && pod.broken(now)) {
                HeldRule known = to.before().rule(slot);
                HeldRule rule = to.after().rule(now);
                if (!known.asks().equals(rule.asks())) {
                    listener.reasked(pod.pod, known, rule, change);
                }
            }
        }
    }

    /** Tells of what was broken for a pod that is gone. */
    void gone(PodEntry pod, Risen risen, Change change) {
        for (int slot = 0; slot < risen.profile().size(); slot++) {
            tell(pod, risen.profile().rule(slot), wasBroken(risen, slot), false, false, change);
        }
    }

    /** Both profiles are in the order of identities: ends the rules that are in the old one alone. */
    private int endUntil(@Nullable RuleIdentity next, Risen risen, int from, PodEntry pod, Change change) {
        int at = from;
        while (at < risen.profile().size()
                && (next == null || risen.profile().rule(at).identity().compareTo(next) < 0)) {
            if (wasBroken(risen, at)) {
                listener.mended(new One(pod, risen.profile().rule(at)), Ending.NOT_ASKED, change);
            }
            at++;
        }
        return at;
    }

    private static boolean wasBroken(Risen risen, int slot) {
        return risen.broken().get(slot);
    }

    private void tell(PodEntry pod, HeldRule rule, boolean was, boolean is, boolean judged, Change change) {
        if (is && !was) {
            listener.broken(new One(pod, rule), change);
        } else if (was && !is) {
            listener.mended(new One(pod, rule), judged ? Ending.SATISFIED : Ending.UNDETERMINED, change);
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
