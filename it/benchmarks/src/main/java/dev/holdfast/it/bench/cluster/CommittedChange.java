package dev.holdfast.it.bench.cluster;

import java.time.Instant;

/**
 * One committed step of a change.
 *
 * @param number of the change, from 0; both steps have the same
 * @param sent right before the request: the commit was later
 * @param answered right after the answer: the commit was earlier
 * @param version the resource version of the target after the commit
 */
public record CommittedChange(
        int number,
        PlannedChange plannedChange,
        ChangeStep changeStep,
        Instant sent,
        Instant answered,
        String version) {}
