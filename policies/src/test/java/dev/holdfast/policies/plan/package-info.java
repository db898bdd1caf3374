/** Tests of the planner. */
@NullMarked
package dev.holdfast.policies.plan;

import org.jspecify.annotations.NullMarked;
