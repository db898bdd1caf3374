/** Tests of the feasibility check. */
@NullMarked
package dev.holdfast.policies.plan.feasibility;

import org.jspecify.annotations.NullMarked;
