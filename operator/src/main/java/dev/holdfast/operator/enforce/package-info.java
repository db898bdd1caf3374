/** The engine's event loop, which carries out its effects, and the ceiling for the mode of all policies. */
@NullMarked
package dev.holdfast.operator.enforce;

import org.jspecify.annotations.NullMarked;
