/** The capacity that a node has left: resources, host ports, volumes, and what moves in flight will use. */
@NullMarked
package dev.holdfast.policies.plan.capacity;

import org.jspecify.annotations.NullMarked;
