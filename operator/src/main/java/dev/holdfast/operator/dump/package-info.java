/** Reads clusters and policies from files, as kubectl writes them. */
@NullMarked
package dev.holdfast.operator.dump;

import org.jspecify.annotations.NullMarked;
