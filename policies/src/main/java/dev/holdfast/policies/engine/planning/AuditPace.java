package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.memory.Decisions;
import dev.holdfast.policies.engine.memory.RecordedDecision;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.place.PlacementCache;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides how often the violations of audited rules are planned. No pod is evicted for them, so the decision that is
 * shown need not follow each change of a pod at once: a plan for them reads thousands of pods in a large cluster.
 */
final class AuditPace {
    private static final Duration AGAIN = Duration.ofSeconds(10);

    /**
     * The minimum time between two plans if a violation needs a decision, or if a policy, a pause or a node changed.
     */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final RequestedRules requested;
    private final ViolationBook book;
    private final Decisions decisions;
    private final PlacementCache placementCache;

    /** When audited violations were planned last. */
    private Instant last = Instant.EPOCH;

    private long nodeChanges;

    AuditPace(RequestedRules requested, ViolationBook book, Decisions decisions, PlacementCache placementCache) {
        this.requested = requested;
        this.book = book;
        this.decisions = decisions;
        this.placementCache = placementCache;
    }

    /** {@return whether the plan that begins now considers the audited violations among these} */
    boolean isTurn(List<ViolationKey> due, Instant now) {
        boolean turn = !now.isBefore(last.plus(AGAIN))
                || (!now.isBefore(last.plus(SOON))
                        && (hasChanged() || due.stream().anyMatch(key -> needsDecision(key, now) && isAudited(key))));
        if (turn) {
            last = now;
            nodeChanges = placementCache.nodeChanges();
        }
        return turn;
    }

    /**
     * {@return until when a violation keeps its decision in a plan that considers no audited violations; empty if its
     * rule is enforced, so that the plan must consider it}
     */
    Optional<Instant> standsUntil(ViolationKey key, Instant now) {
        return isAudited(key)
                ? Optional.of(last.plus(hasChanged() || needsDecision(key, now) ? SOON : AGAIN))
                : Optional.empty();
    }

    private boolean isAudited(ViolationKey key) {
        return !requested.isEnforced(key);
    }

    private boolean hasChanged() {
        return nodeChanges != placementCache.nodeChanges();
    }

    /**
     * {@return whether a violation has no decision yet, waits for its turn in a plan, or has a decision that the passing
     * of time may have ended}
     */
    private boolean needsDecision(ViolationKey key, Instant now) {
        return decisions.find(key).filter(decision -> !isOver(decision, now)).isEmpty() || !book.hasOneDeadline(key);
    }

    private static boolean isOver(RecordedDecision decision, Instant now) {
        return decision instanceof RecordedDecision.Held held
                && (held.hold().reason() == Reason.QUEUED
                        || held.hold().nextLook().filter(at -> !now.isBefore(at)).isPresent());
    }
}
