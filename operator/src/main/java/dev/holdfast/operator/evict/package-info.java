/** The client of the Eviction API: sends a dry run, then the real request, and maps each reply to one named answer. */
@NullMarked
package dev.holdfast.operator.evict;

import org.jspecify.annotations.NullMarked;
