/** What a bench runs on: nodes, workloads with rules of every kind, and changes whose breaches are known beforehand. */
@NullMarked
package dev.holdfast.it.bench.cluster;

import org.jspecify.annotations.NullMarked;
