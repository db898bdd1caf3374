/** The operator's main program. Only this package reads the system clock; the others get their clocks from it. */
@NullMarked
package dev.holdfast.operator;

import org.jspecify.annotations.NullMarked;
