/** What the status of a policy says: its conditions, and the numbers and lists of the engine's report. */
@NullMarked
package dev.holdfast.operator.reconcile.status;

import org.jspecify.annotations.NullMarked;
