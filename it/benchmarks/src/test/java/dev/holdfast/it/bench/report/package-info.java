/** Tests of the figures and reports of benches; no bench runs here. */
@NullMarked
package dev.holdfast.it.bench.report;

import org.jspecify.annotations.NullMarked;
