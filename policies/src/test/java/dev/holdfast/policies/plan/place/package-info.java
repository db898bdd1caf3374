/** Where a pod could run. */
@NullMarked
package dev.holdfast.policies.plan.place;

import org.jspecify.annotations.NullMarked;
