package dev.holdfast.it.bench.report;

/**
 * The target of a figure. A bench that misses a target does not fail: it reports the miss.
 *
 * @param goal the promised limit
 * @param stretch a better limit, which is not promised
 */
public record Target(Limit goal, Limit stretch) {
    private static final Target NONE = new Target(Limit.none(), Limit.none());

    /** {@return a target without limits, for a figure that is only reported} */
    public static Target none() {
        return NONE;
    }

    /** {@return a target whose promised limit and better limit are both upper limits} */
    public static Target atMost(double goal, double stretch) {
        return new Target(Limit.atMost(goal), Limit.atMost(stretch));
    }

    /** {@return a target with a promised upper limit} */
    public static Target atMost(double goal) {
        return new Target(Limit.atMost(goal), Limit.none());
    }

    /** {@return a target with an upper limit that is not promised} */
    public static Target stretchAtMost(double stretch) {
        return new Target(Limit.none(), Limit.atMost(stretch));
    }

    /** {@return a target with a promised lower limit} */
    public static Target atLeast(double goal) {
        return new Target(Limit.atLeast(goal), Limit.none());
    }

    /** {@return a target whose promised limit and better limit are both lower limits} */
    public static Target atLeast(double goal, double stretch) {
        return new Target(Limit.atLeast(goal), Limit.atLeast(stretch));
    }

    /** {@return a target with a promised limit for the absolute value of the figure: 5 allows -5 to 5} */
    public static Target within(double goal) {
        return new Target(Limit.within(goal), Limit.none());
    }

    /** {@return how the value compares with the limits, such as {@code MISSED}; empty if there are no limits} */
    String verdict(double value) {
        if (!goal.allows(value)) {
            return "MISSED";
        }
        String met = goal.equals(Limit.none()) ? "" : "met";
        if (stretch.equals(Limit.none())) {
            return met;
        }
        if (stretch.allows(value)) {
            return met.isEmpty() ? "stretch met" : "met, stretch too";
        }
        return met.isEmpty() ? "stretch missed" : met;
    }
}
