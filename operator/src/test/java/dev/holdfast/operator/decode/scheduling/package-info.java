/** Tests of the decoder of scheduling constraints. */
@NullMarked
package dev.holdfast.operator.decode.scheduling;

import org.jspecify.annotations.NullMarked;
