/** Reads clusters and policies from files, as kubectl writes them. */
@NullMarked
package dev.holdfast.operator.offline.dump;

import org.jspecify.annotations.NullMarked;
