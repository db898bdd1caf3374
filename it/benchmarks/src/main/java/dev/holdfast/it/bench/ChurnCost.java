package dev.holdfast.it.bench;

/**
 * What the operator used while pods and nodes changed.
 *
 * @param cores CPU seconds a second
 */
record ChurnCost(double podsPerSecond, double nodesPerSecond, double seconds, double cores) {}
