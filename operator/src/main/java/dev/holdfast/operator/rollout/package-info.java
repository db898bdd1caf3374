/** Which running pods a roll-out of their workloads would leave without a node. */
@NullMarked
package dev.holdfast.operator.rollout;

import org.jspecify.annotations.NullMarked;
