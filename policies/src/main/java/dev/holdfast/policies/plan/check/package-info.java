/**
 * One class per check. A check returns the hold that keeps a candidate from being evicted, or nothing; {@link
 * dev.holdfast.policies.plan.check.Checks} has their order.
 */
@NullMarked
package dev.holdfast.policies.plan.check;

import org.jspecify.annotations.NullMarked;
