/** Tests of the protobuf readers, byte by byte. */
@NullMarked
package dev.holdfast.operator.decode.protobuf;

import org.jspecify.annotations.NullMarked;
