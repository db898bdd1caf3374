/** Tests of the engine in scenarios: the engine gets the changes of a cluster event by event. */
@NullMarked
package dev.holdfast.policies.engine;

import org.jspecify.annotations.NullMarked;
