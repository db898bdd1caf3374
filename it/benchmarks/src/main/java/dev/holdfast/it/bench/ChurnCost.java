package dev.holdfast.it.bench;

/**
 * The CPU use of the operator while pods and nodes changed without breaking a rule.
 *
 * @param cores the operator's CPU seconds per second
 */
record ChurnCost(double podsPerSecond, double nodesPerSecond, double seconds, double cores) {}
