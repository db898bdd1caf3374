package dev.holdfast.operator.publish;

import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rate limit for the Kubernetes events of each policy: 30 at once, then one every six seconds. Events over the
 * limit are not written but counted. A policy gets at most one summary of them per minute. Not thread-safe.
 */
final class EventRateLimiter {
    private static final int AT_ONCE = 30;
    private static final Duration ONE_MORE_EACH = Duration.ofSeconds(6);
    private static final Duration SUMMARY_EACH = Duration.ofMinutes(1);

    private final Map<PolicyId, Share> shares = new TreeMap<>();

    private static final class Share {
        private final TokenBucket bucket;
        private int leftOut;
        private Instant summedUpAt;

        Share(Instant now) {
            this.bucket = new TokenBucket(AT_ONCE, ONE_MORE_EACH, now);
            this.summedUpAt = now.minus(SUMMARY_EACH);
        }
    }

    /**
     * The summary of a policy's events that were left out because of the rate limit.
     *
     * @param policy the policy of the events
     * @param count number of events left out since the last summary, at least 1
     */
    record Summary(PolicyId policy, int count) {}

    /**
     * {@return whether the policy's limit allows this many events now} If so, they are subtracted from the limit;
     * otherwise all of them count as left out.
     */
    boolean take(PolicyId policy, int events, Instant now) {
        Share share = shares.computeIfAbsent(policy, _ -> new Share(now));
        if (share.bucket.take(events, now)) {
            return true;
        }
        share.leftOut += events;
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
