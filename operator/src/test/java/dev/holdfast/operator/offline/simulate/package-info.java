/** Tests of simulations. */
@NullMarked
package dev.holdfast.operator.offline.simulate;

import org.jspecify.annotations.NullMarked;
