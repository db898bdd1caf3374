/** Windows, pauses, schedules and opt-outs. */
@NullMarked
package dev.holdfast.policies.plan.conduct;

import org.jspecify.annotations.NullMarked;
