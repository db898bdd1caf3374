/** The sources of figures: logs, watches, processes and the audit log. */
@NullMarked
package dev.holdfast.it.bench.measure;

import org.jspecify.annotations.NullMarked;
