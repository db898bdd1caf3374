/** Tests of events, metrics, log and audit log. */
@NullMarked
package dev.holdfast.operator.publish.series;

import org.jspecify.annotations.NullMarked;
