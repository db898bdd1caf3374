/** Which running pods a roll-out of their workloads would leave without a node. */
@NullMarked
package dev.holdfast.operator.offline.stranded;

import org.jspecify.annotations.NullMarked;
