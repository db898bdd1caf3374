package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Unit;

/** The statistics of a {@link SceneTiming} that are figures. */
enum Statistic {
    /** Mean CPU time of a turn, including the garbage collector. */
    COST("mean cost", Unit.MICROSECONDS),
    /** Allocated bytes of a turn. */
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
