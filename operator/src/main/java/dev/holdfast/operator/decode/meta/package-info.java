/** Decoders of parts that several kinds share: metadata, labels, selectors, conditions, quantities and times. */
@NullMarked
package dev.holdfast.operator.decode.meta;

import org.jspecify.annotations.NullMarked;
