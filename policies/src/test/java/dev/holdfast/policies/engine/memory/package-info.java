/** What the engine's memories keep and forget. */
@NullMarked
package dev.holdfast.policies.engine.memory;

import org.jspecify.annotations.NullMarked;
