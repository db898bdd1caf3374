/** Tells people and machines what the engine saw and did: Kubernetes events, metrics, audit log, log. */
@NullMarked
package dev.holdfast.operator.publish;

import org.jspecify.annotations.NullMarked;
