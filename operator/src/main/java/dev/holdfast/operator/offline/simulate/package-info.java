/** Plays what a cluster and the operator would do, on a simulated clock. */
@NullMarked
package dev.holdfast.operator.offline.simulate;

import org.jspecify.annotations.NullMarked;
