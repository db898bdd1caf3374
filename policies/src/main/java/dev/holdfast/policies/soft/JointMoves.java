package dev.holdfast.policies.soft;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses which pods to move, one after the other, so that the moves together gain most with the fewest evictions.
 *
 * <p>The moves are weighed together because each changes what the others gain: it takes a seat, or evens out what
 * another would have evened out. Always choosing the move that gains most would take one with a gain of 5 that spoils
 * two with a gain of 4. So several lines of moves are followed at once: those for which the gain of the moves made and
 * the gains of the moves left are greatest together. In a large cluster there is no time for that: one line is left.
 */
public final class JointMoves {
    /** The maximum number of lines, and of moves by which each line is continued. */
    private static final int WIDEST = 8;

    private JointMoves() {}

    /**
     * A cluster after some moves. Never changes, so it can be continued in several ways.
     *
     * @param <C> a pod that may move
     */
    public interface State<C> {
        /** {@return what the move of a pod gains for certain; 0 if it gains nothing, or may do harm} */
        long gain(C candidate);

        /** {@return a gain that the move does not exceed, found at little cost} */
        long gainAtMost(C candidate);

        /** {@return the cluster after the move of a pod that gains something} */
        State<C> after(C candidate);
    }

    /**
     * {@return the pods to move, in this order}
     *
     * @param candidates of two with equal gains, the first is preferred
     * @param most how many pods may move
     * @param questions how many gains may be computed to weigh moves against each other; the fewer, the less is weighed
     */
    public static <C> List<C> choose(Collection<C> candidates, State<C> state, int most, long questions) {
        long times = (long) candidates.size() * Math.min(most, candidates.size());
        int width = width(candidates.size(), times, questions);
        boolean asksAll = times <= questions;
        Line<C> best = Line.start(candidates, state);
        List<Line<C>> lines = List.of(best);
        for (int moves = 1; moves <= most && !lines.isEmpty(); moves++) {
            int left = most - moves;
            List<Line<C>> longer = new ArrayList<>();
            for (Line<C> line : lines) {
                line.best(width, asksAll).forEach(next -> longer.add(line.and(next)));
            }
            for (Line<C> line : longer) {
                best = line.total > best.total ? line : best;
            }
            lines = longer.stream()
                    .sorted(Comparator.comparingLong((Line<C> line) -> line.promise(width, left))
                            .reversed())
                    .limit(width)
                    .toList();
        }
        return best.chosen;
    }

    /** {@return how many lines can be followed, if each asks this many times} */
    private static int width(long candidates, long times, long questions) {
        int width = WIDEST;
        while (width > 1 && width * Math.min(width, candidates) * times > questions) {
            width--;
        }
        return width;
    }

    /** Moves that are made one after the other. */
    private static final class Line<C> {
        private final List<C> chosen;
        private final State<C> state;

        /** What the moves gain together. */
        private final long total;

        /** What each other pod gained when it was last asked for, or gains at most if it was not. */
        private final Map<C, Long> gains;

        /** The pods that were asked for in this state. */
        private final Set<C> asked = new HashSet<>();

        private Line(List<C> chosen, State<C> state, long total, Map<C, Long> gains) {
            this.chosen = chosen;
            this.state = state;
            this.total = total;
            this.gains = gains;
        }

        static <C> Line<C> start(Collection<C> candidates, State<C> state) {
            Line<C> start = new Line<>(List.of(), state, 0, new LinkedHashMap<>());
            candidates.forEach(it -> start.gains.put(it, state.gainAtMost(it)));
            return start;
        }

        Line<C> and(C next) {
            Map<C, Long> others = new LinkedHashMap<>(gains);
            others.remove(next);
            return new Line<>(
                    Stream.concat(chosen.stream(), Stream.of(next)).toList(),
                    state.after(next),
                    total + gain(next),
                    others);
        }

        /** {@return the moves that gain most, the first of equal ones first} A single line asks only what it must. */
        List<C> best(int width, boolean asksAll) {
            if (asksAll) {
                askAll();
            }
            List<C> best = greatest(width);
            if (best.isEmpty()) {
                // A move that gained nothing may have got a seat by now.
                askAll();
                best = greatest(width);
            }
            return best;
        }

        private List<C> greatest(int width) {
            while (true) {
                List<C> best = gains.keySet().stream()
                        .filter(it -> gain(it) > 0)
                        .sorted(Comparator.comparingLong(this::gain).reversed())
                        .limit(width)
                        .toList();
                Optional<C> old =
                        best.stream().filter(it -> !asked.contains(it)).findFirst();
                if (old.isEmpty()) {
                    return best;
                }
                ask(old.get());
            }
        }

        /** {@return the gain of the moves, and of as many others, as if these did not change each other} */
        long promise(int width, int left) {
            if (width == 1) {
                return total;
            }
            askAll();
            return total
                    + gains.values().stream()
                            .sorted(Comparator.reverseOrder())
                            .limit(left)
                            .mapToLong(Long::longValue)
                            .sum();
        }

        private void askAll() {
            gains.keySet().stream().filter(it -> !asked.contains(it)).forEach(this::ask);
        }

        private void ask(C candidate) {
            asked.add(candidate);
            gains.put(candidate, state.gain(candidate));
        }

        private long gain(C candidate) {
            return gains.getOrDefault(candidate, 0L);
        }
    }
}
