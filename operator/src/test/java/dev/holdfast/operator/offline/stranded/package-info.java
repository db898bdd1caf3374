/** Tests of what roll-outs would leave without a node. */
@NullMarked
package dev.holdfast.operator.offline.stranded;

import org.jspecify.annotations.NullMarked;
