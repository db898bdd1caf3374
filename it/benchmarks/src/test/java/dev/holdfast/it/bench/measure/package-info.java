/** What the arithmetic, the readers and the reports of benches are held to; no bench is run here. */
@NullMarked
package dev.holdfast.it.bench.measure;

import org.jspecify.annotations.NullMarked;
