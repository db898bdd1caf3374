/** Tests of how benches read and summarize logs, watches and process data; no bench runs here. */
@NullMarked
package dev.holdfast.it.bench.measure;

import org.jspecify.annotations.NullMarked;
