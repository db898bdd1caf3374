/** One eviction request, rehearsed and then real, and its one named answer. */
@NullMarked
package dev.holdfast.operator.evict;

import org.jspecify.annotations.NullMarked;
