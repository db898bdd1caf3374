package dev.holdfast.it.bench.measure;

import java.time.Instant;

/**
 * One write of a ConfigMap of the ledger.
 *
 * @param at when a watch read the new state
 * @param name the name of the ConfigMap
 * @param bytes the size of its data, as etcd stores it
 */
public record LedgerWrite(Instant at, String name, int bytes) {}
