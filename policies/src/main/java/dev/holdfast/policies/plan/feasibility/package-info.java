/**
 * The feasibility check: finds another node that has room for a pod and satisfies all its rules. The move must also
 * heal more rules, over all pods, than it breaks.
 */
@NullMarked
package dev.holdfast.policies.plan.feasibility;

import org.jspecify.annotations.NullMarked;
