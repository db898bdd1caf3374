/** The lease by a clock that is set by hand. */
@NullMarked
package dev.holdfast.operator.lead;

import org.jspecify.annotations.NullMarked;
