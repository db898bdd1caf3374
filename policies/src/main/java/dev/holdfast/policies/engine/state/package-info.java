/**
 * The state that the engine keeps between events. Each class owns one kind of state, and forgets what is no longer
 * needed.
 */
@NullMarked
package dev.holdfast.policies.engine.state;

import org.jspecify.annotations.NullMarked;
