/** Tests of the operator as a whole. */
@NullMarked
package dev.holdfast.operator.app;

import org.jspecify.annotations.NullMarked;
