package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The futile moves of one owner since the last successful one, whatever their rules.
 *
 * @param count the number of these moves
 * @param last the most recent of these moves, oldest first; from one to {@link #TRIES} moves
 */
public record FutileStreak(Workload workload, int count, List<FutileMove> last) {
    /**
     * The wait after the first futile move, as long as the default forgiveness. So by default, the wait delays nothing
     * if the replacement breaks the rule again: the replacement is not due earlier anyway.
     */
    static final Duration FIRST_WAIT = Duration.ofMinutes(5);

    /**
     * The number of futile moves in a row after which Holdfast gives up. Five futile moves take at least 75 minutes,
     * which is longer than a roll-out or the replacement of a node.
     */
    public static final int TRIES = 5;

    /**
     * The maximum wait after a futile move, however many there were in a row. Once Holdfast has given up, the next move
     * needs a node change that may help, too.
     */
    static final Duration LONGEST_WAIT = Duration.ofDays(1);

    /**
     * One futile move.
     *
     * @param at when its outcome was known
     * @param policy the policy that the pod was moved for
     * @param rule the rule that the pod was moved for; absent only in a ledger of an earlier version
     * @param why what happened to the replacement: {@code landed on n1 and broke the rule again}
     */
    public record FutileMove(Instant at, PolicyId policy, Optional<RuleIdentity> rule, String why) {
        public FutileMove(Instant at, PolicyId policy, RuleIdentity rule, String why) {
            this(at, policy, Optional.of(rule), why);
        }
    }

    /** {@return how long the next move waits after this number of moves} */
    static Duration waitAfter(int moves) {
        Duration wait = FIRST_WAIT;
        for (int i = 1; i < moves && wait.compareTo(LONGEST_WAIT) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    public FutileStreak {
        last = List.copyOf(last);
        if (last.isEmpty()) {
            throw new IllegalArgumentException("a streak without a futile move");
        }
    }

    /** {@return the earliest time of the next move; each futile move doubles the wait, up to the maximum} */
    public Instant again() {
        return at().plus(waitAfter(count));
    }

    /** {@return when the last of these moves ended} */
    Instant at() {
        return last.getLast().at();
    }

    /** {@return whether any of the most recent of these moves was made for the rule} */
    public boolean isFor(RuleIdentity rule) {
        return last.stream().anyMatch(move -> move.rule().filter(rule::equals).isPresent());
    }

    FutileStreak and(FutileStreak later) {
        List<FutileMove> all = new ArrayList<>(last);
        all.addAll(later.last);
        all.sort(Comparator.comparing(FutileMove::at));
        return new FutileStreak(
                workload, count + later.count, all.subList(Math.max(0, all.size() - TRIES), all.size()));
    }

    /** {@return the streak without the moves for a policy; the last one stays, because it still delays the next} */
    FutileStreak without(PolicyId policy) {
        List<FutileMove> kept = last.stream()
                .filter(move -> !move.policy().equals(policy) || move.equals(last.getLast()))
                .toList();
        return kept.size() == last.size() ? this : new FutileStreak(workload, kept.size(), kept);
    }
}
