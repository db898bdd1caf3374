package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.input.Candidate;

/**
 * A candidate that passed all checks and has a node, so that a plan may choose it.
 *
 * @param candidate the candidate, with all its requesting policies
 * @param victim the decision to choose it
 * @param heals how many fewer rules are violated after its move, over all pods
 * @param moves the number of moves in flight when its node was found
 */
record PlanOption(Candidate candidate, Plan.Chosen victim, int heals, int moves) {}
