/**
 * Reads the protobuf of the API server: bytes in, facts out. Only the fields that the facts need are read; all else is
 * skipped by its length.
 *
 * <p>Example: {@code 0a 05 0a 03 77 65 62} is field 1 (metadata) of 5 bytes, and in it field 1 (name) of 3 bytes:
 * {@code web}. The tag {@code 0a} is the field's number times 8 plus 2, which says that a length follows.
 */
@NullMarked
package dev.holdfast.operator.decode;

import org.jspecify.annotations.NullMarked;
