/** What goes into the engine and what comes out: events, effects, views and settings. */
@NullMarked
package dev.holdfast.policies.engine.protocol;

import org.jspecify.annotations.NullMarked;
