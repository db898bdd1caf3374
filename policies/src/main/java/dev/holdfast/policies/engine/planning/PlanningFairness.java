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
 * Selects the violations of the next plan if more are due than one plan considers. Violations of enforced rules take
 * precedence, but a tenth of the plan is reserved for those of audited rules. Both kinds are selected round robin by
 * key. A violation that starts again keeps its key, and therefore its place in the order.
 *
 * <p>Example: one plan considers at most 3,000 violations, and 10 enforced and 9,000 audited ones are due. Each plan
 * considers the 10 enforced ones and the next 2,990 audited ones.
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

    /** Selects and returns the due violations that the next plan considers: all, if they fit into one plan. */
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

    /** The round robin over the violations of one kind: enforced or audited. */
    private static final class Ring {
        /** The violation after which the round robin continues. It may have ended since the last plan. */
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
