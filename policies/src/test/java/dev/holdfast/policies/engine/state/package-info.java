/** Tests of what the engine stores between events, and when it forgets it. */
@NullMarked
package dev.holdfast.policies.engine.state;

import org.jspecify.annotations.NullMarked;
