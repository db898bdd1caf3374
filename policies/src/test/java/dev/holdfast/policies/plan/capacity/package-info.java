/** What fits on a node. */
@NullMarked
package dev.holdfast.policies.plan.capacity;

import org.jspecify.annotations.NullMarked;
