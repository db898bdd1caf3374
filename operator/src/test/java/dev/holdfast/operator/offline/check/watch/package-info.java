/** Tests of the watch of violations. */
@NullMarked
package dev.holdfast.operator.offline.check.watch;

import org.jspecify.annotations.NullMarked;
