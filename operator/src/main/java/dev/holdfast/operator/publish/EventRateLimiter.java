package dev.holdfast.operator.publish;

import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rate limit for the Kubernetes events of each policy: 30 at once, then one every six seconds. Events beyond it are
 * counted and summarized once a minute. Not thread-safe.
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
     * The events of a policy that were left out.
     *
     * @param count how many since the last summary
     */
    record Summary(PolicyId policy, int count) {}

    /** {@return whether the policy may have this many more events; if not, they are counted as left out} */
    boolean take(PolicyId policy, int events, Instant now) {
        Share share = shares.computeIfAbsent(policy, _ -> new Share(now));
        if (share.bucket.take(events, now)) {
            return true;
        }
        share.leftOut += events;
        return false;
    }

    /** {@return the summaries that are due; their counts restart from zero} */
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
