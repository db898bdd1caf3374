/** Tests of the input of the planner. */
@NullMarked
package dev.holdfast.policies.plan.input;

import org.jspecify.annotations.NullMarked;
