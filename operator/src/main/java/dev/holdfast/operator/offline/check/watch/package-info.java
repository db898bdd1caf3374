/** Follows a live cluster, and finds each change of its violations. */
@NullMarked
package dev.holdfast.operator.offline.check.watch;

import org.jspecify.annotations.NullMarked;
