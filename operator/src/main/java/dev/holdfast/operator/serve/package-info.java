/** The HTTP endpoint for liveness and readiness probes and for metrics. */
@NullMarked
package dev.holdfast.operator.serve;

import org.jspecify.annotations.NullMarked;
