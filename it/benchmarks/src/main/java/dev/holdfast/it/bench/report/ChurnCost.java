package dev.holdfast.it.bench.report;

/**
 * What the operator used while pods and nodes changed.
 *
 * @param cores CPU seconds a second
 */
public record ChurnCost(double podsPerSecond, double nodesPerSecond, double seconds, double cores) {}
