package dev.holdfast.it.bench.cluster;

import java.time.Instant;

/**
 * One request that made or reverted a label change, and that the API server accepted.
 *
 * @param number the number of the change, from 0; the request that reverts the change has the same number
 * @param sent when the request was sent, which is before etcd committed the change
 * @param answered when the answer had arrived, which is after etcd committed the change
 * @param version the resource version of the changed object after the commit
 */
public record CommittedChange(
        int number,
        PlannedChange plannedChange,
        ChangeStep changeStep,
        Instant sent,
        Instant answered,
        String version) {}
