/**
 * How a policy lets pods be evicted: windows, exceptions, limits, pauses, and the annotations by which pods opt out.
 */
@NullMarked
package dev.holdfast.policies.plan.conduct;

import org.jspecify.annotations.NullMarked;
