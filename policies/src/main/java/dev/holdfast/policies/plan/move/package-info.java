/**
 * What a move is: an eviction from the decision to its outcome, the moves in flight, futile moves, and what a hold is.
 */
@NullMarked
package dev.holdfast.policies.plan.move;

import org.jspecify.annotations.NullMarked;
