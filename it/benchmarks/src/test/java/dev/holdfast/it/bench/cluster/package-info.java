/** Tests of the benches' clusters and changes; no bench runs here. */
@NullMarked
package dev.holdfast.it.bench.cluster;

import org.jspecify.annotations.NullMarked;
