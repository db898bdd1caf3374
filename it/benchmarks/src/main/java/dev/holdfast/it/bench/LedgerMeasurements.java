package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.LedgerContents;
import java.util.List;

/**
 * All measurements of {@code it/bench ledger}.
 *
 * @param flags the JVM flags of the operator
 * @param contents what the ledger held while all clocks ran and nothing changed
 * @param periods the same operator without clocks, with clocks, and with clocks while violations begin and heal
 * @param starts the starts of operators
 * @param rounds how many takeovers of each kind were planned
 * @param killed the takeovers after the leader was killed
 * @param ended the takeovers after the leader got SIGTERM
 */
record LedgerMeasurements(
        List<String> flags,
        LedgerContents contents,
        Periods periods,
        Starts starts,
        int rounds,
        List<Takeover> killed,
        List<Takeover> ended) {
    LedgerMeasurements {
        flags = List.copyOf(flags);
        killed = List.copyOf(killed);
        ended = List.copyOf(ended);
    }

    /**
     * One operator, which runs all the time.
     *
     * @param violating how many violations run a clock, except in the first period
     */
    record Periods(int violating, LedgerPeriod withoutClocks, LedgerPeriod quiet, LedgerPeriod changing) {}

    /**
     * The starts of operators.
     *
     * @param empty with a ledger without clocks, and without violations
     * @param full with a ledger of all clocks
     * @param none without a ledger, with the same violations
     */
    record Starts(List<LedgerStart> empty, List<LedgerStart> full, List<LedgerStart> none) {
        Starts {
            empty = List.copyOf(empty);
            full = List.copyOf(full);
            none = List.copyOf(none);
        }
    }
}
