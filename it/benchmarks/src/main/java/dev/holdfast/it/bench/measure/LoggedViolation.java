package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.Broken;
import dev.holdfast.it.bench.cluster.Step;
import java.time.Instant;

/**
 * The operator's own word on one violation.
 *
 * @param at the time that its log line carries, to the microsecond
 * @param step whether the violation began or healed
 */
public record LoggedViolation(Instant at, Step step, Broken broken) {}
