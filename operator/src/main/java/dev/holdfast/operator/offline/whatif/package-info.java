/** Plays a change of a cluster, and compares what follows with what would happen without it. */
@NullMarked
package dev.holdfast.operator.offline.whatif;

import org.jspecify.annotations.NullMarked;
