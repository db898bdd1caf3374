package dev.holdfast.it.fault;

import java.util.function.Predicate;

/**
 * One fault, and what the operator logs about the affected kind.
 *
 * @param fault its name in the findings
 * @param which the affected requests
 * @param done the fault itself
 * @param kind the resource whose view is lost
 * @param line part of the log line
 */
record FaultRow(String fault, Predicate<HttpHead> which, ProxyFault done, String kind, String line) {}
