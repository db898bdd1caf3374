/** Tests of the operator on a real control plane, checked against its audit log. */
@NullMarked
package dev.holdfast.it.operator;

import org.jspecify.annotations.NullMarked;
