/** Tests of sending policies and pauses to the engine and of writing their statuses. */
@NullMarked
package dev.holdfast.operator.reconcile;

import org.jspecify.annotations.NullMarked;
