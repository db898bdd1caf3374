/** The input of the planner: candidates, the cluster, its domains and the health of its nodes. */
@NullMarked
package dev.holdfast.policies.plan.situation;

import org.jspecify.annotations.NullMarked;
