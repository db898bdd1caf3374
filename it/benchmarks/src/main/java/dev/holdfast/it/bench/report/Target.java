package dev.holdfast.it.bench.report;

/**
 * What a figure should be. A missed target is a result of the bench and no failure of it.
 *
 * @param goal what is promised
 * @param stretch what is hoped for
 */
public record Target(Limit goal, Limit stretch) {
    private static final Target NONE = new Target(Limit.none(), Limit.none());

    /** {@return the target of a figure that is only reported} */
    public static Target none() {
        return NONE;
    }

    /** {@return upper limits} */
    public static Target atMost(double goal, double stretch) {
        return new Target(Limit.atMost(goal), Limit.atMost(stretch));
    }

    /** {@return an upper limit that is promised} */
    public static Target atMost(double goal) {
        return new Target(Limit.atMost(goal), Limit.none());
    }

    /** {@return an upper limit that is hoped for} */
    public static Target stretchAtMost(double stretch) {
        return new Target(Limit.none(), Limit.atMost(stretch));
    }

    /** {@return lower limits} */
    public static Target atLeast(double goal, double stretch) {
        return new Target(Limit.atLeast(goal), Limit.atLeast(stretch));
    }

    /** {@return the promise of 0, give or take} */
    public static Target within(double goal) {
        return new Target(Limit.within(goal), Limit.none());
    }

    /** {@return what came of it, in a word or two; empty where nothing is promised or hoped for} */
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
