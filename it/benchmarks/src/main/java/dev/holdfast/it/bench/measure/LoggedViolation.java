package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import java.time.Instant;

/**
 * A log line of the operator about a violation that began or healed.
 *
 * @param at the time of the log line, to the microsecond
 * @param changeStep whether the violation began or healed
 */
public record LoggedViolation(Instant at, ChangeStep changeStep, ExpectedViolation expectedViolation) {}
