/** Tests of the clients that hold connections open. */
@NullMarked
package dev.holdfast.it.bench.connection;

import org.jspecify.annotations.NullMarked;
