/** Clients that hold connections to the operator's ports open. */
@NullMarked
package dev.holdfast.it.bench.connection;

import org.jspecify.annotations.NullMarked;
