package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.RecordedDecision;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides how often the violations of audited rules are planned. No pod is evicted for them, so the decision that is
 * shown need not follow each change of a pod at once. A plan for them reads thousands of pods in a large cluster: there
 * it takes about 100 ms, in which the engine handles no event.
 *
 * <p>Example: with 3,000 pods, every 10 s, and one second after the last time if a decision is missing. With 150,000
 * pods, every 60 s and after 3 s.
 */
final class AuditPace {
    private static final Duration AGAIN = Duration.ofSeconds(10);
    private static final int PODS_PER_SECOND_OF_AGAIN = 2_500;

    /**
     * The minimum time between two plans if a violation needs a decision, or if a policy, a pause or a node changed.
     */
    private static final Duration SOON = Duration.ofSeconds(1);

    private static final int PODS_PER_SECOND_OF_SOON = 50_000;

    private final LiveCluster cluster;
    private final RequestedRules requested;
    private final Decisions decisions;
    private final PlacementCache placementCache;

    /** The minimum time between two plans if the last one had to leave audited violations to the next. */
    private static final Duration NEXT_PART = Duration.ofSeconds(3);

    /** When a plan last considered audited violations. */
    private Instant last = Instant.EPOCH;

    private long nodeChanges;
    private boolean paused;
    private boolean complete = true;

    AuditPace(LiveCluster cluster, RequestedRules requested, Decisions decisions, PlacementCache placementCache) {
        this.cluster = cluster;
        this.requested = requested;
        this.decisions = decisions;
        this.placementCache = placementCache;
    }

    /**
     * {@return whether the plan that begins now considers the audited violations among these}
     *
     * @param anyPause whether any pause applies now
     */
    boolean isTurn(List<ViolationKey> due, boolean anyPause, Instant now) {
        boolean turn = paused != anyPause
                || !now.isBefore(last.plus(usual()))
                || (!now.isBefore(last.plus(soon()))
                        && (hasChanged() || due.stream().anyMatch(key -> needsDecision(key) && isAudited(key))));
        if (turn) {
            last = now;
            paused = anyPause;
            nodeChanges = placementCache.nodeChanges();
        }
        return turn;
    }

    /**
     * Records whether the last plan that considered audited violations considered all of them. If not, the next plans
     * consider the others, round robin.
     */
    void planned(boolean all) {
        complete = all;
    }

    /**
     * {@return until when a violation keeps its decision in a plan that considers no audited violations; empty if its
     * rule is enforced}
     */
    Optional<Instant> standsUntil(ViolationKey key) {
        return isAudited(key)
                ? Optional.of(last.plus(hasChanged() || needsDecision(key) ? soon() : usual()))
                : Optional.empty();
    }

    private Duration usual() {
        return complete ? again() : longer(soon(), NEXT_PART);
    }

    private Duration again() {
        return atLeast(AGAIN, PODS_PER_SECOND_OF_AGAIN);
    }

    private Duration soon() {
        return atLeast(SOON, PODS_PER_SECOND_OF_SOON);
    }

    private Duration atLeast(Duration shortest, int podsPerSecond) {
        return longer(Duration.ofSeconds(cluster.boundPods() / podsPerSecond), shortest);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private boolean isAudited(ViolationKey key) {
        return !requested.isEnforced(key);
    }

    private boolean hasChanged() {
        return nodeChanges != placementCache.nodeChanges();
    }

    /** {@return whether a violation has no decision yet, or waits for its turn in a plan} */
    private boolean needsDecision(ViolationKey key) {
        return decisions.find(key).filter(decision -> !isQueued(decision)).isEmpty();
    }

    private static boolean isQueued(RecordedDecision decision) {
        return decision instanceof RecordedDecision.Held held && held.hold().reason() == Reason.QUEUED;
    }
}
