package dev.holdfast.policies.engine;

import dev.holdfast.policies.index.Change;
import dev.holdfast.policies.index.Holders;
import dev.holdfast.policies.index.VerdictListener;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Collects the verdicts that the index tells to have changed, until they are taken. */
final class Flips implements VerdictListener {
    private NavigableSet<Flip> flips = new TreeSet<>();

    /** One rule of one pod. Ordered by pod, then rule. */
    record Flip(String podUid, RuleIdentity rule) implements Comparable<Flip> {
        private static final Comparator<Flip> ORDER =
                Comparator.comparing(Flip::podUid).thenComparing(Flip::rule);

        @Override
        public int compareTo(Flip other) {
            return ORDER.compare(this, other);
        }
    }

    @Override
    public void broken(Holders holders, Change change) {
        note(holders);
    }

    @Override
    public void mended(Holders holders, Ending ending, Change change) {
        note(holders);
    }

    private void note(Holders holders) {
        holders.forEach((pod, rule) -> flips.add(new Flip(pod.uid(), rule.identity())));
    }

    /** {@return what has changed since this was last asked, in order} */
    NavigableSet<Flip> take() {
        NavigableSet<Flip> taken = flips;
        flips = new TreeSet<>();
        return taken;
    }
}
