package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.RecordedDecision;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.capacity.InfeasibleSince;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds when the passing of time alone may change a decision about an enforced violation: a forgiveness, a window, a
 * pause, a limit per hour or a back-off ends, or a policy evicts a pod that no other node would take.
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
    private final PlacementCache placementCache;

    public DecisionTimes(
            ViolationBook book, RequestedRules requested, Decisions decisions, PlacementCache placementCache) {
        this.book = book;
        this.requested = requested;
        this.decisions = decisions;
        this.placementCache = placementCache;
    }

    /** {@return the first time after an instant at which a decision may change; empty if there is none} */
    public Optional<Instant> next(Instant now) {
        return enforced()
                .flatMap(violation -> Stream.of(deadlines(violation), ends(violation), evictions(violation.key()))
                        .flatMap(times -> times))
                .filter(now::isBefore)
                .min(Comparator.naturalOrder());
    }

    /** {@return whether a policy is waiting to evict a pod until no other node has taken it for long enough} */
    public boolean anyEvictionWithoutNode(Instant now) {
        return enforced().flatMap(violation -> evictions(violation.key())).anyMatch(now::isBefore);
    }

    /** Records that nothing changed: where no check found a node for a pod, none would find one now. */
    public void nothingChanged(Instant now) {
        book.running().stream()
                .map(Violation::key)
                .filter(decisions::isWithoutNode)
                .forEach(key -> placementCache.stillInfeasible(key, now));
    }

    private Stream<Violation> enforced() {
        return book.running().stream().filter(violation -> requested.isEnforced(violation.key()));
    }

    private Stream<Instant> deadlines(Violation violation) {
        return policies(violation.key()).map(policy -> book.deadline(violation.key(), policy));
    }

    private Stream<PolicyId> policies(ViolationKey key) {
        return requested.get(key).requestingPolicies(requested.ceiling()).stream();
    }

    private Stream<Instant> ends(Violation violation) {
        return decisions.find(violation.key()).stream()
                .flatMap(decision -> decision instanceof RecordedDecision.Held held
                        ? Stream.concat(Stream.of(held.hold()), held.ofPolicies().values().stream())
                        : Stream.empty())
                .filter(hold -> !BY_CHANGES.contains(hold.reason()))
                .flatMap(hold -> hold.nextLook().stream());
    }

    /** {@return when each policy evicts the pod if still no other node takes it} */
    private Stream<Instant> evictions(ViolationKey key) {
        Optional<Instant> since = placementCache
                .infeasible(key)
                .filter(_ -> decisions.isWithoutNode(key))
                .map(InfeasibleSince.Period::since);
        if (since.isEmpty()) {
            return Stream.empty();
        }
        AppliedRule rule = requested.get(key);
        return policies(key)
                .flatMap(policy -> rule.whenInfeasible(policy, requested.ceiling()).evictAfter().stream()
                        .map(time ->
                                later(since.get(), book.deadline(key, policy)).plus(time)));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
