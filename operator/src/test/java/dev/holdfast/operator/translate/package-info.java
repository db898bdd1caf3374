/** Tests of reading policies. */
@NullMarked
package dev.holdfast.operator.translate;

import org.jspecify.annotations.NullMarked;
