/** Tests of the free capacity of nodes. */
@NullMarked
package dev.holdfast.policies.plan.capacity;

import org.jspecify.annotations.NullMarked;
