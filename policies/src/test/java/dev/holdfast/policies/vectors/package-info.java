/** Verdicts of the real kube-scheduler, and the reader of the objects they speak of. */
@NullMarked
package dev.holdfast.policies.vectors;

import org.jspecify.annotations.NullMarked;
