/**
 * The disruption controls of policies: windows, exceptions, limits, pauses, and the annotations by which pods opt out.
 */
@NullMarked
package dev.holdfast.policies.plan.conduct;

import org.jspecify.annotations.NullMarked;
