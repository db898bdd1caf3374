/** The input of the planner: candidates, the state of the cluster, new domains and lost nodes. */
@NullMarked
package dev.holdfast.policies.plan.situation;

import org.jspecify.annotations.NullMarked;
