/**
 * The protobuf field numbers of the Kubernetes API, which the build generates from the table {@code fields.txt}.
 *
 * <p>Example: the table has the line {@code PodSpec ... nodeName:10:string ...}, so {@code Fields.PodSpec.NODE_NAME} is
 * 10. {@code operator/fields/generate} makes the table from the Go types of Kubernetes, and {@code
 * operator/fields/FieldNumbers.java} makes the constants from the table.
 */
@NullMarked
package dev.holdfast.operator.decode.fields;

import org.jspecify.annotations.NullMarked;
