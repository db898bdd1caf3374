/** Tests of the feasibility check. */
@NullMarked
package dev.holdfast.policies.plan.place;

import org.jspecify.annotations.NullMarked;
