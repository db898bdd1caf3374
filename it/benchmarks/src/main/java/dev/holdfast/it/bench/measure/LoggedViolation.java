package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import java.time.Instant;

/**
 * The operator's own word on one violation.
 *
 * @param at the time that its log line carries, to the microsecond
 * @param changeStep whether the violation began or healed
 */
public record LoggedViolation(Instant at, ChangeStep changeStep, ExpectedViolation expectedViolation) {}
