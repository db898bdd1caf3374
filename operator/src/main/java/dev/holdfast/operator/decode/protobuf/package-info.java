/** Readers for the API server's protobuf: fields, lists and watch events, independent of any Kubernetes kind. */
@NullMarked
package dev.holdfast.operator.decode.protobuf;

import org.jspecify.annotations.NullMarked;
