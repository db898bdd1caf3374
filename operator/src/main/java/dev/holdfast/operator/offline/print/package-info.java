/** Writes what commands found, as text for people and as documents for programs. */
@NullMarked
package dev.holdfast.operator.offline.print;

import org.jspecify.annotations.NullMarked;
