package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import java.time.Instant;

/**
 * A violation in the operator's log.
 *
 * @param at the time of the log line, to the microsecond
 * @param changeStep whether the violation began or healed
 */
public record LoggedViolation(Instant at, ChangeStep changeStep, ExpectedViolation expectedViolation) {}
