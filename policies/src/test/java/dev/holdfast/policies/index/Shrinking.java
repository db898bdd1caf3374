package dev.holdfast.policies.index;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Shrinks a failing history: removes runs of steps, shorter and shorter ones, as long as the history still fails. */
final class Shrinking {
    private Shrinking() {}

    /** {@return a subsequence of the history from which no single step can be removed} */
    static <T> List<T> of(List<T> history, Predicate<List<T>> fails) {
        List<T> shortest = new ArrayList<>(history);
        int run = Math.max(1, history.size() / 2);
        while (run > 0) {
            boolean shorter = false;
            for (int from = 0; from < shortest.size(); ) {
                List<T> without = new ArrayList<>(shortest);
                without.subList(from, Math.min(from + run, without.size())).clear();
                if (fails.test(without)) {
                    shortest = without;
                    shorter = true;
                } else {
                    from += run;
                }
            }
            run = shorter && run == 1 ? 1 : run / 2;
        }
        return shortest;
    }
}
