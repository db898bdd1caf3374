/** Feeds: list and watch each kind, decode it, and send facts and the status of each view to the engine. */
@NullMarked
package dev.holdfast.operator.feed;

import org.jspecify.annotations.NullMarked;
