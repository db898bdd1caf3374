/** From a policy as it is written to a policy as the engine uses it, or to everything that is wrong with it at once. */
@NullMarked
package dev.holdfast.operator.translate;

import org.jspecify.annotations.NullMarked;
