package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.memory.Decisions;
import dev.holdfast.policies.engine.memory.RecordedDecision;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds when the passing of time alone may change a decision about an enforced violation: a forgiveness, a window, a
 * pause, a limit per hour or a back-off ends.
 */
public final class DecisionTimes {
    /**
     * Holds that end by a change of the cluster. Their violations are checked every few seconds nevertheless, because
     * Holdfast does not watch all that may change.
     */
    private static final Set<Reason> BY_CHANGES = EnumSet.of(
            Reason.INFEASIBLE,
            Reason.NOT_POSSIBLE,
            Reason.VOLUME_PINNED,
            Reason.TRADES_VIOLATIONS,
            Reason.CONTRADICTS,
            Reason.DISRUPTION_BUDGET,
            Reason.DISRUPTION_BUDGET_NEVER_ALLOWS,
            Reason.SEVERAL_BUDGETS);

    private final ViolationBook book;
    private final RequestedRules requested;
    private final Decisions decisions;

    public DecisionTimes(ViolationBook book, RequestedRules requested, Decisions decisions) {
        this.book = book;
        this.requested = requested;
        this.decisions = decisions;
    }

    /** {@return the first such time after an instant; empty if there is none} */
    public Optional<Instant> next(Instant now) {
        return book.running().stream()
                .filter(violation -> requested.isEnforced(violation.key()))
                .flatMap(violation -> Stream.concat(deadlines(violation), ends(violation)))
                .filter(now::isBefore)
                .min(Comparator.naturalOrder());
    }

    private Stream<Instant> deadlines(Violation violation) {
        return requested.get(violation.key()).requestingPolicies(requested.ceiling()).stream()
                .map(policy -> book.deadline(violation.key(), policy));
    }

    private Stream<Instant> ends(Violation violation) {
        return decisions.find(violation.key()).stream()
                .flatMap(decision -> decision instanceof RecordedDecision.Held held
                        ? Stream.concat(Stream.of(held.hold()), held.ofPolicies().values().stream())
                        : Stream.empty())
                .filter(hold -> endsByTime(hold, violation))
                .flatMap(hold -> hold.nextLook().stream());
    }

    /** A policy may evict a pod without a node after some time, for which it must be checked all the while. */
    private boolean endsByTime(Hold hold, Violation violation) {
        return !BY_CHANGES.contains(hold.reason())
                || (decisions.isWithoutNode(violation.key())
                        && requested
                                .get(violation.key())
                                .whenInfeasible(requested.ceiling())
                                .evictAfter()
                                .isPresent());
    }
}
