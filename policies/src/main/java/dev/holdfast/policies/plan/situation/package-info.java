/**
 * What the planner judges a candidate by: the candidate itself, the cluster, its domains and the health of its nodes.
 */
@NullMarked
package dev.holdfast.policies.plan.situation;

import org.jspecify.annotations.NullMarked;
