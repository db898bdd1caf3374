/** Parts that several decoders share. */
@NullMarked
package dev.holdfast.operator.decode.meta;

import org.jspecify.annotations.NullMarked;
