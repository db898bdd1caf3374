/** The capacity of nodes for one more pod: resources, host ports, volumes, and what moves in flight will use. */
@NullMarked
package dev.holdfast.policies.plan.capacity;

import org.jspecify.annotations.NullMarked;
