/** Moves: an eviction from the decision to its outcome, the moves in flight, futile moves, and holds. */
@NullMarked
package dev.holdfast.policies.plan.move;

import org.jspecify.annotations.NullMarked;
