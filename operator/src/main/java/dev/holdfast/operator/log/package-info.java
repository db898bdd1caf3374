/** Writes the log to standard error, within bounds that no log line exceeds. */
@NullMarked
package dev.holdfast.operator.log;

import org.jspecify.annotations.NullMarked;
