/**
 * The bench of the operator's core without Kubernetes: the index, which keeps all verdicts up to date, and the engine,
 * which decides about moves. The bench generates a cluster of any size and its events. It measures the time and memory
 * that the index and the engine need for them.
 */
@NullMarked
package dev.holdfast.it.bench.engine;

import org.jspecify.annotations.NullMarked;
