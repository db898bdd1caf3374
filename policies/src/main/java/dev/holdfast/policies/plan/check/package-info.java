/**
 * The checks of the planner, one class each. A check returns the hold that keeps a candidate from being evicted, or
 * empty; {@link dev.holdfast.policies.plan.check.Checks} defines their order.
 */
@NullMarked
package dev.holdfast.policies.plan.check;

import org.jspecify.annotations.NullMarked;
