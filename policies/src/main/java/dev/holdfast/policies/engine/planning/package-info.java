/**
 * From due violations to started moves: creates candidates, runs the planner, records holds, and starts the chosen
 * moves.
 */
@NullMarked
package dev.holdfast.policies.engine.planning;

import org.jspecify.annotations.NullMarked;
