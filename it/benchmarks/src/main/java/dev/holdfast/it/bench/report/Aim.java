package dev.holdfast.it.bench.report;

/**
 * What a figure should be at most.
 *
 * @param goal what is promised; {@link #NO_GOAL} where nothing is
 * @param beyond what is hoped for
 */
public record Aim(Statistic statistic, double goal, double beyond) {
    /** As a goal: any figure meets it. */
    public static final double NO_GOAL = Double.POSITIVE_INFINITY;

    /** Which number of a measurement. */
    public enum Statistic {
        /** CPU time on average. */
        COST,
        P50,
        P99,
        /** Bytes allocated. */
        GARBAGE
    }
}
