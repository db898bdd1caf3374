package dev.holdfast.it.bench;

/**
 * The CPU use of the operator while pods and nodes changed.
 *
 * @param cores CPU seconds per second
 */
record ChurnCost(double podsPerSecond, double nodesPerSecond, double seconds, double cores) {}
