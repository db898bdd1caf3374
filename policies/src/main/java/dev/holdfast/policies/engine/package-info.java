/**
 * The decision engine, a state machine: {@code step(event, now) -> effects}. The same events at the same instants give
 * the same effects. The engine has no clock, thread or API client of its own.
 */
@NullMarked
package dev.holdfast.policies.engine;

import org.jspecify.annotations.NullMarked;
