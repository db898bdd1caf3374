package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Unit;

/** Which number of a {@link SceneTiming} is a figure. */
enum Statistic {
    /** CPU time a turn on average, that of the garbage collector included. */
    COST("mean cost", Unit.MICROSECONDS),
    /** Bytes allocated a turn. */
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
