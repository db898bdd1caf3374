package dev.holdfast.it.bench.cluster;

import java.time.Instant;

/**
 * A half of a change that was committed.
 *
 * @param number of the change, from 0; both halves have the same
 * @param sent right before the request was sent: it was committed after that
 * @param answered right after its answer: it was committed before that
 * @param version the resource version that the commit gave the target
 */
public record CommittedChange(
        int number,
        PlannedChange plannedChange,
        ChangeStep changeStep,
        Instant sent,
        Instant answered,
        String version) {}
