package dev.holdfast.it.bench;

/**
 * One takeover by the standby. All times are in seconds after the leader was killed or got SIGTERM.
 *
 * @param leading when the standby held the lease
 * @param read when it had read the ledger
 * @param recalled when its first write of the ledger showed that it had taken the ledger over
 * @param decided when its first plan had decided about a due violation
 * @param leaderMiB the resident memory of the leader before it ended
 * @param standbyMiB the resident memory of the standby at that time
 * @param leaderPeakMiB the peak of the leader's resident memory
 * @param standbyPeakMiB the peak of the standby's resident memory
 */
record Takeover(
        double leading,
        double read,
        double recalled,
        double decided,
        double leaderMiB,
        double standbyMiB,
        double leaderPeakMiB,
        double standbyPeakMiB) {}
