/** Tests of leader election with a clock that the tests advance. */
@NullMarked
package dev.holdfast.operator.lead;

import org.jspecify.annotations.NullMarked;
