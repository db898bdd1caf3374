/**
 * The bench of the incremental index: a made-up cluster of any size, what happens to it, and how long the index takes and
 * how much it keeps.
 */
@NullMarked
package dev.holdfast.it.bench.engine;

import org.jspecify.annotations.NullMarked;
