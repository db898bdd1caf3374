/** The controllers of policies and pauses: they send specs to the engine and write its reports to statuses. */
@NullMarked
package dev.holdfast.operator.reconcile;

import org.jspecify.annotations.NullMarked;
