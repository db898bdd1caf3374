/** By which labels Services and controllers of a cluster that was read select pods. */
@NullMarked
package dev.holdfast.operator.offline.dump.selectors;

import org.jspecify.annotations.NullMarked;
