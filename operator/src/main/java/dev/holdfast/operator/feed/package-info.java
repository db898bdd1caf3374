/**
 * Feeds: list and watch each kind, decode its objects, and send them to the engine with the state (synced or lost) of
 * each view.
 */
@NullMarked
package dev.holdfast.operator.feed;

import org.jspecify.annotations.NullMarked;
