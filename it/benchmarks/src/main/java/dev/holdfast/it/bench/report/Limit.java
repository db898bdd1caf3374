package dev.holdfast.it.bench.report;

/**
 * A limit for the value of a figure.
 *
 * @param value the limit, in the unit of the figure; 0 if there is no limit
 */
public record Limit(Bound bound, double value) {
    private static final Limit NONE = new Limit(Bound.NONE, 0);

    /** On which side of the limit the value of the figure must be. */
    public enum Bound {
        NONE,
        AT_MOST,
        AT_LEAST,
        /** The absolute value of the figure is at most the limit. */
        WITHIN
    }

    static Limit none() {
        return NONE;
    }

    static Limit atMost(double value) {
        return new Limit(Bound.AT_MOST, value);
    }

    static Limit atLeast(double value) {
        return new Limit(Bound.AT_LEAST, value);
    }

    static Limit within(double value) {
        return new Limit(Bound.WITHIN, value);
    }

    /** {@return whether the limit allows this value of the figure} */
    boolean allows(double figure) {
        return switch (bound) {
            case NONE -> true;
            case AT_MOST -> figure <= value;
            case AT_LEAST -> figure >= value;
            case WITHIN -> Math.abs(figure) <= value;
        };
    }

    /** {@return the limit as text; empty if there is no limit} */
    String print(Unit unit) {
        return switch (bound) {
            case NONE -> "";
            case AT_MOST -> "<= " + unit.print(value);
            case AT_LEAST -> ">= " + unit.print(value);
            case WITHIN -> "0 +- " + unit.print(value);
        };
    }
}
