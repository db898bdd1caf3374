package dev.holdfast.policies.engine;

import dev.holdfast.policies.forgive.Deadlines;
import dev.holdfast.policies.forgive.ViolationKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whose turn it is where more is due than one plan looks at: those who come next, in the order in which they came due,
 * after those of the plan before, and after the last of all the first again.
 */
final class Turns {
    private final Deadlines deadlines;
    private final int most;
    private Optional<Last> last = Optional.empty();

    /** The last one of the last turn, maybe gone by now. */
    private record Last(Instant deadline, ViolationKey key) {}

    /** @param most how many one plan looks at */
    Turns(Deadlines deadlines, int most) {
        this.deadlines = deadlines;
        this.most = most;
    }

    /**
     * {@return those to plan now}
     *
     * @param due all that is due, first due first
     */
    List<ViolationKey> next(List<ViolationKey> due) {
        if (due.size() <= most) {
            return due;
        }
        int first = first(due);
        List<ViolationKey> turn = new ArrayList<>(most);
        for (int i = 0; i < most; i++) {
            turn.add(due.get((first + i) % due.size()));
        }
        ViolationKey end = turn.getLast();
        last = Optional.of(new Last(deadlines.of(end), end));
        return turn;
    }

    private int first(List<ViolationKey> due) {
        for (int i = 0; last.isPresent() && i < due.size(); i++) {
            if (isAfter(due.get(i), last.get())) {
                return i;
            }
        }
        return 0;
    }

    private boolean isAfter(ViolationKey key, Last one) {
        int order = deadlines.of(key).compareTo(one.deadline());
        return order > 0 || (order == 0 && key.compareTo(one.key()) > 0);
    }
}
