package dev.holdfast.it.bench;

import java.util.List;

/**
 * One start of the operator in the filled cluster.
 *
 * @param readySeconds from the start of the process to the first 200 from /readyz
 * @param recall how the ledger was recalled; empty for an operator that keeps none
 * @param peakMiB the peak of resident memory until some seconds after the start
 */
record LedgerStart(double readySeconds, List<Recall> recall, double peakMiB) {
    LedgerStart {
        recall = List.copyOf(recall);
    }

    /**
     * The times until a new leader knows the ledger.
     *
     * @param read from when it leads until it has read all ConfigMaps
     * @param recalled from when it leads until its first write of the ledger, which it makes once it has taken the
     * ledger over
     * @param startToRecalled the same from the start of the process
     */
    record Recall(double read, double recalled, double startToRecalled) {}
}
