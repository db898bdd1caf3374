/** Tests of what is told of violations and evictions. */
@NullMarked
package dev.holdfast.operator.publish;

import org.jspecify.annotations.NullMarked;
