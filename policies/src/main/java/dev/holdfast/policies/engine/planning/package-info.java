/**
 * From due violations to started moves: makes candidates, runs the planner, records the holds and starts what is chosen.
 */
@NullMarked
package dev.holdfast.policies.engine.planning;

import org.jspecify.annotations.NullMarked;
