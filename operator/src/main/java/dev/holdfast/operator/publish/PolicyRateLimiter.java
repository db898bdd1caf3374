package dev.holdfast.operator.publish;

import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A rate limit for what is written about each policy: Kubernetes events or log lines. Entries over the limit are
 * counted. A policy gets at most one summary of them per minute. Not thread-safe.
 */
final class PolicyRateLimiter {
    private static final Duration SUMMARY_EACH = Duration.ofMinutes(1);

    private final int atOnce;
    private final Duration oneMoreEach;
    private final Map<PolicyId, Share> shares = new TreeMap<>();

    /**
     * Creates a rate limit.
     *
     * @param atOnce how many entries a policy that was quiet may write at once
     * @param oneMoreEach the time after which it may write one more
     */
    PolicyRateLimiter(int atOnce, Duration oneMoreEach) {
        this.atOnce = atOnce;
        this.oneMoreEach = oneMoreEach;
    }

    private static final class Share {
        private final TokenBucket bucket;
        private int leftOut;
        private Instant summedUpAt;

        Share(TokenBucket bucket, Instant now) {
            this.bucket = bucket;
            this.summedUpAt = now.minus(SUMMARY_EACH);
        }
    }

    /**
     * The summary of a policy's entries that were left out because of the rate limit.
     *
     * @param policy the policy of the entries
     * @param count number of entries left out since the last summary, at least 1
     */
    record Summary(PolicyId policy, int count) {}

    /**
     * {@return whether the policy's limit allows this many entries now} If so, they are subtracted from the limit;
     * otherwise all of them count as left out.
     */
    boolean take(PolicyId policy, int entries, Instant now) {
        Share share = shares.computeIfAbsent(policy, _ -> new Share(new TokenBucket(atOnce, oneMoreEach, now), now));
        if (share.bucket.take(entries, now)) {
            return true;
        }
        share.leftOut += entries;
        return false;
    }

    /** Returns the summaries that are due, and resets their counts to zero. */
    List<Summary> summaries(Instant now) {
        List<Summary> due = new ArrayList<>();
        shares.forEach((policy, share) -> {
            if (share.leftOut > 0 && waited(share, now)) {
                due.add(new Summary(policy, share.leftOut));
                share.leftOut = 0;
                share.summedUpAt = now;
            }
        });
        return due;
    }

    private static boolean waited(Share share, Instant now) {
        return !now.isBefore(share.summedUpAt.plus(SUMMARY_EACH));
    }

    void forget(PolicyId policy) {
        shares.remove(policy);
    }
}
