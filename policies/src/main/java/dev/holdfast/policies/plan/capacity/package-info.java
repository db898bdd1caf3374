/** What a node has left: resources, host ports, volumes, and the moves that are already promised to it. */
@NullMarked
package dev.holdfast.policies.plan.capacity;

import org.jspecify.annotations.NullMarked;
