/** The loop, driven by events and a hand-set clock. */
@NullMarked
package dev.holdfast.operator.enforce;

import org.jspecify.annotations.NullMarked;
