/** Evictions against an API server that says what the real one says. */
@NullMarked
package dev.holdfast.operator.evict;

import org.jspecify.annotations.NullMarked;
