/** Tests of events, metrics, log and audit log. */
@NullMarked
package dev.holdfast.operator.publish;

import org.jspecify.annotations.NullMarked;
