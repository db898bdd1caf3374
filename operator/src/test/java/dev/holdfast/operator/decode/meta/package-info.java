/** Tests of the decoders of shared parts. */
@NullMarked
package dev.holdfast.operator.decode.meta;

import org.jspecify.annotations.NullMarked;
