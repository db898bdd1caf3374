/** The program: the only place with the system clock and the wiring. */
@NullMarked
package dev.holdfast.operator;

import org.jspecify.annotations.NullMarked;
