/** Scores of feasible nodes, computed as the score plugins of the scheduler do: which node it prefers for a pod. */
@NullMarked
package dev.holdfast.policies.score;

import org.jspecify.annotations.NullMarked;
