/** Finds the violations in a cluster at one moment, and writes them for people and programs. */
@NullMarked
package dev.holdfast.operator.offline.check;

import org.jspecify.annotations.NullMarked;
