/**
 * Decoders of parts that objects of several kinds have: metadata, labels, selectors, conditions, quantities and times.
 */
@NullMarked
package dev.holdfast.operator.decode.meta;

import org.jspecify.annotations.NullMarked;
