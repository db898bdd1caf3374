/** Tests of the input of the planner. */
@NullMarked
package dev.holdfast.policies.plan.situation;

import org.jspecify.annotations.NullMarked;
