/**
 * The feasibility check: searches for another node where the pod keeps its rules and breaks no rules of other pods.
 */
@NullMarked
package dev.holdfast.policies.plan.place;

import org.jspecify.annotations.NullMarked;
