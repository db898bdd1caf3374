/**
 * The state machine that ties everything together: {@code step(event, now) -> effects}. The same events at the same
 * instants give the same effects; nothing here knows a clock, a thread or a client.
 */
@NullMarked
package dev.holdfast.policies.engine;

import org.jspecify.annotations.NullMarked;
