/** Tests of the lists of a live cluster. */
@NullMarked
package dev.holdfast.operator.offline.dump.live;

import org.jspecify.annotations.NullMarked;
