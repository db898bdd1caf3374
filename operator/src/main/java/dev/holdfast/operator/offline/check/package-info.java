/** Finds the violations in a cluster at one moment. */
@NullMarked
package dev.holdfast.operator.offline.check;

import org.jspecify.annotations.NullMarked;
