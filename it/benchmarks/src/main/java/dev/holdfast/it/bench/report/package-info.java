/** The result of a bench: records as they are written to its file, and the same as a table. */
@NullMarked
package dev.holdfast.it.bench.report;

import org.jspecify.annotations.NullMarked;
