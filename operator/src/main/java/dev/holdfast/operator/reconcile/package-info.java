/** The controllers of policies and pauses. They send specs to the engine and write the engine's reports to statuses. */
@NullMarked
package dev.holdfast.operator.reconcile;

import org.jspecify.annotations.NullMarked;
