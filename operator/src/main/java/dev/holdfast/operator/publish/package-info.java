/** Reports what the engine observed and did: Kubernetes events, metrics, audit log and log. */
@NullMarked
package dev.holdfast.operator.publish;

import org.jspecify.annotations.NullMarked;
