/** The result of a bench: figures beside their targets, printed as a table and written as JSON with every sample. */
@NullMarked
package dev.holdfast.it.bench.report;

import org.jspecify.annotations.NullMarked;
