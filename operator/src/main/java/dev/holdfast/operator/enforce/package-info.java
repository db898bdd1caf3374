/** The thread that hands the engine its events and carries out what it wants done. */
@NullMarked
package dev.holdfast.operator.enforce;

import org.jspecify.annotations.NullMarked;
