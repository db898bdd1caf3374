/**
 * The bench of the incremental index and the engine: a generated cluster of any size, its events, and their time and
 * memory.
 */
@NullMarked
package dev.holdfast.it.bench.engine;

import org.jspecify.annotations.NullMarked;
