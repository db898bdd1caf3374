package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.LedgerWrites;

/**
 * The operator during one period of the ledger bench.
 *
 * @param violationsPerSecond how many violations began a second; as many healed
 * @param writes the writes of the ledger that a watch saw
 * @param calls the operator's requests, from the audit log
 * @param cores the operator's CPU seconds per second
 * @param residentMiB the most resident memory in the period
 * @param peakMiB the process's peak resident memory from its start to the end of the period
 */
record LedgerPeriod(
        double violationsPerSecond,
        LedgerWrites writes,
        ApiCalls calls,
        double cores,
        double residentMiB,
        double peakMiB) {
    /** The kind of request that writes the ledger. */
    static final String WRITE = "update configmaps";

    /** {@return the requests that wrote the ledger or tried to} */
    int requests() {
        return calls.requests().getOrDefault(WRITE, 0);
    }
}
