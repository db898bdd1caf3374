/** Measures commands that read what kubectl printed. */
@NullMarked
package dev.holdfast.it.bench.dump;

import org.jspecify.annotations.NullMarked;
