/** Faults between the operator and a real API server: through a proxy, and by stopping servers. */
@NullMarked
package dev.holdfast.it.fault;

import org.jspecify.annotations.NullMarked;
