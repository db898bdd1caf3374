/** Tests of the decoders, with whole and damaged bytes of an API server. */
@NullMarked
package dev.holdfast.operator.decode;

import org.jspecify.annotations.NullMarked;
