/** The sources of a bench's figures: the operator's log, watches, {@code /proc} and the audit log. */
@NullMarked
package dev.holdfast.it.bench.measure;

import org.jspecify.annotations.NullMarked;
