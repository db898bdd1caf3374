package dev.holdfast.it.bench.report;

import java.util.List;

/**
 * The target of a figure. A bench that misses a target does not fail: it reports the miss.
 *
 * @param bound on which side of a limit the value must be
 * @param goal the promised limit in the unit of the figure; empty if there is none
 * @param stretch a better limit, which is not promised; empty if there is none
 */
public record Target(Bound bound, List<Double> goal, List<Double> stretch) {
    /** On which side of a limit the value of the figure must be. */
    public enum Bound {
        AT_MOST("<= "),
        AT_LEAST(">= "),
        /** The absolute value of the figure is at most the limit. */
        WITHIN("0 +- ");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }

        private boolean allows(double value, double limit) {
            return switch (this) {
                case AT_MOST -> value <= limit;
                case AT_LEAST -> value >= limit;
                case WITHIN -> Math.abs(value) <= limit;
            };
        }
    }

    public Target {
        goal = List.copyOf(goal);
        stretch = List.copyOf(stretch);
    }

    /** {@return a target without limits, for a figure that is only reported} */
    public static Target none() {
        return new Target(Bound.AT_MOST, List.of(), List.of());
    }

    /** {@return a target whose promised limit and better limit are both upper limits} */
    public static Target atMost(double goal, double stretch) {
        return new Target(Bound.AT_MOST, List.of(goal), List.of(stretch));
    }

    /** {@return a target with a promised upper limit} */
    public static Target atMost(double goal) {
        return new Target(Bound.AT_MOST, List.of(goal), List.of());
    }

    /** {@return a target with an upper limit that is not promised} */
    public static Target stretchAtMost(double stretch) {
        return new Target(Bound.AT_MOST, List.of(), List.of(stretch));
    }

    /** {@return a target with a promised lower limit} */
    public static Target atLeast(double goal) {
        return new Target(Bound.AT_LEAST, List.of(goal), List.of());
    }

    /** {@return a target whose promised limit and better limit are both lower limits} */
    public static Target atLeast(double goal, double stretch) {
        return new Target(Bound.AT_LEAST, List.of(goal), List.of(stretch));
    }

    /** {@return a target with a promised limit for the absolute value of the figure: 5 allows -5 to 5} */
    public static Target within(double goal) {
        return new Target(Bound.WITHIN, List.of(goal), List.of());
    }

    /** {@return a limit as text; empty if there is no limit} */
    String print(List<Double> limit, Unit unit) {
        return limit.isEmpty() ? "" : bound.sign + unit.print(limit.getFirst());
    }

    private boolean allows(double value, List<Double> limit) {
        return limit.stream().allMatch(one -> bound.allows(value, one));
    }

    /** {@return how the value compares with the limits, such as {@code MISSED}; empty if there are no limits} */
    String verdict(double value) {
        if (!allows(value, goal)) {
            return "MISSED";
        }
        String met = goal.isEmpty() ? "" : "met";
        if (stretch.isEmpty()) {
            return met;
        }
        if (allows(value, stretch)) {
            return met.isEmpty() ? "stretch met" : "met, stretch too";
        }
        return met.isEmpty() ? "stretch missed" : met;
    }
}
