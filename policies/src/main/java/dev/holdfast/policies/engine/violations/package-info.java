/**
 * From changed verdicts to violations: starts, postpones and ends the clocks of violations, and compares the verdicts
 * with those of the reference evaluators.
 */
@NullMarked
package dev.holdfast.policies.engine.violations;

import org.jspecify.annotations.NullMarked;
