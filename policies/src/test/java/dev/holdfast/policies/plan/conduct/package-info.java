/** Tests of disruption controls: windows, pauses, schedules and limits. */
@NullMarked
package dev.holdfast.policies.plan.conduct;

import org.jspecify.annotations.NullMarked;
