/** Protobuf as the API server sends it: fields, lists and watch frames, without knowledge of any Kubernetes kind. */
@NullMarked
package dev.holdfast.operator.decode.protobuf;

import org.jspecify.annotations.NullMarked;
