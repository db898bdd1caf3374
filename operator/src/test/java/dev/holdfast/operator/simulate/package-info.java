/** Tests of simulations. */
@NullMarked
package dev.holdfast.operator.simulate;

import org.jspecify.annotations.NullMarked;
