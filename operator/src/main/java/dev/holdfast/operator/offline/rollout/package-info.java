/** How roll-outs of new pod templates stand at the end of a simulation. */
@NullMarked
package dev.holdfast.operator.offline.rollout;

import org.jspecify.annotations.NullMarked;
