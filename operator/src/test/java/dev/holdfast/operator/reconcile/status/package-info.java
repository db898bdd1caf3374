/** Tests what the status of a policy says. */
@NullMarked
package dev.holdfast.operator.reconcile.status;

import org.jspecify.annotations.NullMarked;
