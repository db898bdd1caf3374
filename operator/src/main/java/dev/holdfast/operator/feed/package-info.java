/** Feeds: list and watch every kind, decode it, and hand the engine facts and the status of each view. */
@NullMarked
package dev.holdfast.operator.feed;

import org.jspecify.annotations.NullMarked;
