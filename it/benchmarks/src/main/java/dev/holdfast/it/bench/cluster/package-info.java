/**
 * The cluster of a bench: nodes, workloads with rules of every kind, and changes whose violations are known in advance.
 */
@NullMarked
package dev.holdfast.it.bench.cluster;

import org.jspecify.annotations.NullMarked;
