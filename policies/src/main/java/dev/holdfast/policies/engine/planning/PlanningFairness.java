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
 * Whose turn it is where more is due than one plan looks at: the enforced first, but for a tenth that is kept for the
 * others. Of each kind those who come next by key after those of the turn before, and after the last the first again.
 * Nobody gets ahead by breaking anew, since that changes no key.
 *
 * <p>Example: with 3,000 a turn, 9,000 audited and 10 enforced due, each turn has the 10 and 2,990 of the 9,000.
 */
final class PlanningFairness {
    private static final int TENTH = 10;

    private final int most;
    private final Predicate<ViolationKey> isEnforced;
    private final Ring enforced = new Ring();
    private final Ring others = new Ring();

    /** @param most how many one plan looks at */
    PlanningFairness(int most, Predicate<ViolationKey> isEnforced) {
        this.most = most;
        this.isEnforced = isEnforced;
    }

    /** {@return those of all that is due to plan now} */
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

    /** Goes round those of one kind. */
    private static final class Ring {
        /** The last one of the last turn, maybe gone by now. */
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
