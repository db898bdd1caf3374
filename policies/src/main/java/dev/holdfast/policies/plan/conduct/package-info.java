/**
 * When and how many pods a policy may evict: windows, exceptions, limits, pauses, and the annotations that keep pods.
 */
@NullMarked
package dev.holdfast.policies.plan.conduct;

import org.jspecify.annotations.NullMarked;
