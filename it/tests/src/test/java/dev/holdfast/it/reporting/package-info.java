/** Tests of the operator's reports on a real cluster: status, conditions, events, metrics. */
@NullMarked
package dev.holdfast.it.reporting;

import org.jspecify.annotations.NullMarked;
