/** Tests of what follows from a change. */
@NullMarked
package dev.holdfast.operator.offline.whatif;

import org.jspecify.annotations.NullMarked;
