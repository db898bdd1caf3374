/** The report of a bench: figures with their targets, printed as a table and written as JSON with every sample. */
@NullMarked
package dev.holdfast.it.bench.report;

import org.jspecify.annotations.NullMarked;
