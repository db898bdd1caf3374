/** The descheduler, built and run beside Holdfast for comparison. */
@NullMarked
package dev.holdfast.it.bench.peer;

import org.jspecify.annotations.NullMarked;
