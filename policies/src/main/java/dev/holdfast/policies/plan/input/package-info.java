/** The input of the planner: candidates, the state of the cluster, and recent events that delay evictions. */
@NullMarked
package dev.holdfast.policies.plan.input;

import org.jspecify.annotations.NullMarked;
