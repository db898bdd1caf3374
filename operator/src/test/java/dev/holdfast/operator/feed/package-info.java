/** Tests of the feeds with fake API servers: the events for the engine, with and without faults. */
@NullMarked
package dev.holdfast.operator.feed;

import org.jspecify.annotations.NullMarked;
