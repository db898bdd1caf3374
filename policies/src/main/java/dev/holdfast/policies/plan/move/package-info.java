/** Moves (an eviction, from the decision to the outcome of the replacement), futile moves, and holds. */
@NullMarked
package dev.holdfast.policies.plan.move;

import org.jspecify.annotations.NullMarked;
