/** Tests of the decoders of parts that objects of several kinds have, such as quantities. */
@NullMarked
package dev.holdfast.operator.decode.meta;

import org.jspecify.annotations.NullMarked;
