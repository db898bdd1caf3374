/** The report of a bench: figures with their goals, printed as a table and written as JSON with raw samples. */
@NullMarked
package dev.holdfast.it.bench.report;

import org.jspecify.annotations.NullMarked;
