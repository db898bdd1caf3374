/** Tests of disruption controls: windows, pauses, schedules and limits. */
@NullMarked
package dev.holdfast.policies.plan.controls;

import org.jspecify.annotations.NullMarked;
