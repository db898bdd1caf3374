/** Reads and dumps a live cluster, whose objects it only lists. */
@NullMarked
package dev.holdfast.operator.offline.dump.live;

import org.jspecify.annotations.NullMarked;
