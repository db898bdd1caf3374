/** The program: the only place with the system clock. */
@NullMarked
package dev.holdfast.operator;

import org.jspecify.annotations.NullMarked;
