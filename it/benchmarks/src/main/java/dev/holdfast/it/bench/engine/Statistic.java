package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Unit;

/** The statistics of a {@link SceneTiming} that a report shows; a turn is a batch of events that is timed as one. */
enum Statistic {
    /** Mean CPU time of a turn, plus the pauses of the garbage collector. */
    COST("mean cost", Unit.MICROSECONDS),
    /** Mean number of bytes that a turn allocates. */
    GARBAGE("garbage", Unit.BYTES),
    MEDIAN("median", Unit.MICROSECONDS),
    P99("p99", Unit.MICROSECONDS);

    private final String label;
    private final Unit unit;

    Statistic(String label, Unit unit) {
        this.label = label;
        this.unit = unit;
    }

    String label() {
        return label;
    }

    Unit unit() {
        return unit;
    }
}
