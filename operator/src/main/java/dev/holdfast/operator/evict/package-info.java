/** The client of the Eviction API: a dry run, then the real request, each with exactly one named answer. */
@NullMarked
package dev.holdfast.operator.evict;

import org.jspecify.annotations.NullMarked;
