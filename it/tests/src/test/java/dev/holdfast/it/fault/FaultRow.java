package dev.holdfast.it.fault;

import java.util.function.Predicate;

/**
 * One row of a test table: a fault, and what the operator logs about the affected kind.
 *
 * @param fault the name of the fault in the table of results
 * @param which matches the affected requests
 * @param done what the proxy does with the answers
 * @param kind the plural name of the watched kind that the operator loses, for example pods
 * @param line a part of the operator's log line about the loss
 */
record FaultRow(String fault, Predicate<HttpHead> which, ProxyFault done, String kind, String line) {}
