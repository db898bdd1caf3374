/**
 * Decoders of Kubernetes objects, from protobuf to the model records of the engine. The decoders read only the fields
 * that these records need, and skip all others by their length.
 *
 * <p>Example: {@code 0a 05 0a 03 77 65 62} is field 1 (metadata) of 5 bytes, and in it field 1 (name) of 3 bytes:
 * {@code web}. The tag {@code 0a} is the field number times 8 plus 2; the 2 means that a length follows.
 */
@NullMarked
package dev.holdfast.operator.decode;

import org.jspecify.annotations.NullMarked;
