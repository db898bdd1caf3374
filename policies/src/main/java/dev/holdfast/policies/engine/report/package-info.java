/**
 * The reports of the engine: violations, policies, breakers and backlogs as values for status, events, logs and
 * metrics.
 */
@NullMarked
package dev.holdfast.policies.engine.report;

import org.jspecify.annotations.NullMarked;
