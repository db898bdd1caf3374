/** Tests of the descheduler's build and log; no bench runs here. */
@NullMarked
package dev.holdfast.it.bench.peer;

import org.jspecify.annotations.NullMarked;
