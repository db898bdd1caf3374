/** Tests of the cluster state of the engine. */
@NullMarked
package dev.holdfast.policies.engine.live;

import org.jspecify.annotations.NullMarked;
