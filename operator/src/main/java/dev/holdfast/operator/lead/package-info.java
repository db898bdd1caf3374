/** The lease that lets one replica act, and the fence that is asked before each act. */
@NullMarked
package dev.holdfast.operator.lead;

import org.jspecify.annotations.NullMarked;
