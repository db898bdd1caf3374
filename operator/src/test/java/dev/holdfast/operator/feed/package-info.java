/** Feeds against API servers in memory: what the engine learns, and what goes wrong on the way. */
@NullMarked
package dev.holdfast.operator.feed;

import org.jspecify.annotations.NullMarked;
