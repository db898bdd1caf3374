/** Decodes where a pod may run and where it prefers to run, within limits that a hostile spec cannot exceed. */
@NullMarked
package dev.holdfast.operator.decode.scheduling;

import org.jspecify.annotations.NullMarked;
