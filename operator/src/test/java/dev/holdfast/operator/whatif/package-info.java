/** Tests of what follows from a change. */
@NullMarked
package dev.holdfast.operator.whatif;

import org.jspecify.annotations.NullMarked;
