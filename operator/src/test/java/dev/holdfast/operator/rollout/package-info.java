/** Tests of what roll-outs would leave without a node. */
@NullMarked
package dev.holdfast.operator.rollout;

import org.jspecify.annotations.NullMarked;
