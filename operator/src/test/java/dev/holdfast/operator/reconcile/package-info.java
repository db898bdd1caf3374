/** Tests of handing policies to the engine and of writing their status. */
@NullMarked
package dev.holdfast.operator.reconcile;

import org.jspecify.annotations.NullMarked;
