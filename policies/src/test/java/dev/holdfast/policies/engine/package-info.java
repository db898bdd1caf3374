/** Stories of clusters, told to the engine event by event. */
@NullMarked
package dev.holdfast.policies.engine;

import org.jspecify.annotations.NullMarked;
