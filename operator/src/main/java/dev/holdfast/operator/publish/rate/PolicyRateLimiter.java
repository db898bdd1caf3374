package dev.holdfast.operator.publish.rate;

import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A rate limit for what is written about each policy: Kubernetes events or log lines. The policies of one namespace
 * have a limit together, so that a tenant gains little by more policies; cluster policies have none above their own.
 * Entries over a limit are counted. A policy gets at most one summary of them per minute. Not thread-safe.
 */
public final class PolicyRateLimiter {
    private static final Duration SUMMARY_EACH = Duration.ofMinutes(1);

    /** The limit of all policies of a namespace together, as a multiple of the limit of one policy. */
    private static final int POLICIES_OF_NAMESPACE = 5;

    private static final int SUMMARIES_AT_ONCE = 20;
    private static final Duration ONE_MORE_SUMMARY_EACH = Duration.ofSeconds(3);

    private final int atOnce;
    private final Duration oneMoreEach;
    private final Map<PolicyId, Share> shares = new TreeMap<>();
    private final Map<String, NamespaceShare> namespaces = new HashMap<>();

    /**
     * Creates a rate limit.
     *
     * @param atOnce how many entries a policy that was quiet may write at once
     * @param oneMoreEach the time after which it may write one more
     */
    public PolicyRateLimiter(int atOnce, Duration oneMoreEach) {
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

    /** The common limits of the policies of a namespace. Summaries have a limit of their own: they follow a flood. */
    private record NamespaceShare(TokenBucket entries, TokenBucket summaries) {
        boolean isIdle(Instant now) {
            return entries.isFull(now) && summaries.isFull(now);
        }
    }

    /**
     * The summary of a policy's entries that were left out because of the rate limit.
     *
     * @param policy the policy of the entries
     * @param count number of entries left out since the last summary, at least 1
     */
    public record Summary(PolicyId policy, int count) {}

    /**
     * {@return whether the limits of the policy and of its namespace allow this many entries now} If so, the entries
     * are subtracted from both limits; otherwise all entries count as left out.
     */
    public boolean take(PolicyId policy, int entries, Instant now) {
        Share share = shares.computeIfAbsent(policy, _ -> new Share(new TokenBucket(atOnce, oneMoreEach, now), now));
        boolean allowed = share.bucket.has(entries, now)
                && namespace(policy, now)
                        .map(it -> it.entries().take(entries, now))
                        .orElse(true)
                && share.bucket.take(entries, now);
        if (!allowed) {
            share.leftOut += entries;
        }
        return allowed;
    }

    private Optional<NamespaceShare> namespace(PolicyId policy, Instant now) {
        return policy.namespace()
                .map(name -> namespaces.computeIfAbsent(
                        name,
                        _ -> new NamespaceShare(
                                new TokenBucket(
                                        POLICIES_OF_NAMESPACE * atOnce,
                                        oneMoreEach.dividedBy(POLICIES_OF_NAMESPACE),
                                        now),
                                new TokenBucket(SUMMARIES_AT_ONCE, ONE_MORE_SUMMARY_EACH, now))));
    }

    /** Returns the summaries that are due, and resets their counts to zero. */
    public List<Summary> summaries(Instant now) {
        List<Summary> due = new ArrayList<>();
        shares.forEach((policy, share) -> {
            if (share.leftOut > 0
                    && waited(share, now)
                    && namespace(policy, now)
                            .map(it -> it.summaries().take(1, now))
                            .orElse(true)) {
                due.add(new Summary(policy, share.leftOut));
                share.leftOut = 0;
                share.summedUpAt = now;
            }
        });
        namespaces.values().removeIf(it -> it.isIdle(now));
        return due;
    }

    private static boolean waited(Share share, Instant now) {
        return !now.isBefore(share.summedUpAt.plus(SUMMARY_EACH));
    }

    public void forget(PolicyId policy) {
        shares.remove(policy);
    }
}
