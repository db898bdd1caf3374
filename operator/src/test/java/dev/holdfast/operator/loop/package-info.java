/** Tests of the engine's loop and the mode ceiling. */
@NullMarked
package dev.holdfast.operator.loop;

import org.jspecify.annotations.NullMarked;
