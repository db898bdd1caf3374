/** Tests of how benches read and summarize their sources; no bench runs here. */
@NullMarked
package dev.holdfast.it.bench.measure;

import org.jspecify.annotations.NullMarked;
