/** Tests of the benches' figures and launches; no bench runs here. */
@NullMarked
package dev.holdfast.it.bench;

import org.jspecify.annotations.NullMarked;
