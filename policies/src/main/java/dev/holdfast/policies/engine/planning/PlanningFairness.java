package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.forgive.ViolationKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Selects the violations of the next plan if more are due than one plan considers. Enforced violations take precedence,
 * but a tenth of the plan is kept for the others. Both kinds are selected round robin by key. A violation that starts
 * again keeps its key, and therefore its place in the order.
 *
 * <p>Example: with 3,000 per plan, 9,000 audited and 10 enforced violations due, each plan has the 10 and 2,990 of the
 * 9,000.
 */
final class PlanningFairness {
    private static final int TENTH = 10;

    private final int most;
    private final Predicate<ViolationKey> isEnforced;
    private final Ring enforced = new Ring();
    private final Ring others = new Ring();

    /** @param most the maximum number of violations in one plan */
    PlanningFairness(int most, Predicate<ViolationKey> isEnforced) {
        this.most = most;
        this.isEnforced = isEnforced;
    }

    /** {@return the due violations to plan now} */
    List<ViolationKey> next(List<ViolationKey> due) {
        if (due.size() <= most) {
            return due;
        }
        List<ViolationKey> first = due.stream().filter(isEnforced).toList();
        List<ViolationKey> rest = due.stream().filter(isEnforced.negate()).toList();
        int kept = Math.min(rest.size(), most / TENTH);
        List<ViolationKey> turn = new ArrayList<>(enforced.next(first, most - kept));
        turn.addAll(others.next(rest, most - turn.size()));
        return turn;
    }

    /** The round robin over the violations of one kind. */
    private static final class Ring {
        /** The last violation of the previous plan, which may have ended since. */
        private Optional<ViolationKey> last = Optional.empty();

        private final Comparator<ViolationKey> order = Comparator.comparing((ViolationKey key) ->
                        last.filter(it -> key.compareTo(it) <= 0).isPresent())
                .thenComparing(Comparator.naturalOrder());

        List<ViolationKey> next(List<ViolationKey> due, int most) {
            if (due.size() <= most) {
                return due;
            }
            NavigableSet<ViolationKey> turn = new TreeSet<>(order);
            for (ViolationKey key : due) {
                if (turn.size() < most) {
                    turn.add(key);
                } else if (order.compare(key, turn.last()) < 0) {
                    turn.pollLast();
                    turn.add(key);
                }
            }
            List<ViolationKey> next = List.copyOf(turn);
            last = Optional.of(next.getLast());
            return next;
        }
    }
}
