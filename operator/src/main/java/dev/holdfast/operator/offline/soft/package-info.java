/** Finds where the soft rules of pods are unmet, and what a move of a pod would gain. */
@NullMarked
package dev.holdfast.operator.offline.soft;

import org.jspecify.annotations.NullMarked;
