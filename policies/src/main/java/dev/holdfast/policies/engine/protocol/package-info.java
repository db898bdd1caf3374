/** The interface of the engine: events in, effects out, views and settings. */
@NullMarked
package dev.holdfast.policies.engine.protocol;

import org.jspecify.annotations.NullMarked;
