/**
 * When and how many pods a policy may evict: maintenance windows, exceptions, limits, pauses, and the annotations that
 * forbid an eviction or lengthen the forgiveness.
 */
@NullMarked
package dev.holdfast.policies.plan.controls;

import org.jspecify.annotations.NullMarked;
