/** Tests of the log. */
@NullMarked
package dev.holdfast.operator.log;

import org.jspecify.annotations.NullMarked;
