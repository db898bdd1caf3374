/** The interface of the engine: its events (input), effects (output), watched views and settings. */
@NullMarked
package dev.holdfast.policies.engine.protocol;

import org.jspecify.annotations.NullMarked;
