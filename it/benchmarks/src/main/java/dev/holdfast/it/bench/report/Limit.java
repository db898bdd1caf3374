package dev.holdfast.it.bench.report;

/**
 * A limit for the value of a figure.
 *
 * @param value the limit, in the unit of the figure; 0 without a limit
 */
public record Limit(Bound bound, double value) {
    private static final Limit NONE = new Limit(Bound.NONE, 0);

    /** On which side of the limit the figure must be. */
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

    /** {@return whether a figure is within the limit} */
    boolean allows(double figure) {
        return switch (bound) {
            case NONE -> true;
            case AT_MOST -> figure <= value;
            case AT_LEAST -> figure >= value;
            case WITHIN -> Math.abs(figure) <= value;
        };
    }

    /** {@return the limit as text; empty without a limit} */
    String print(Unit unit) {
        return switch (bound) {
            case NONE -> "";
            case AT_MOST -> "<= " + unit.print(value);
            case AT_LEAST -> ">= " + unit.print(value);
            case WITHIN -> "0 +- " + unit.print(value);
        };
    }
}
