package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.InfeasibleSince;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Holds a candidate that no other node would take, until {@code whenInfeasible} of its policy allows an eviction
 * nevertheless.
 */
final class InfeasibleCheck implements PlacementCheck {
    /**
     * How long until the next attempt to find a node. Waiting for a watched change is not enough: a change that
     * Holdfast does not watch may make a node acceptable, too.
     */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private static final Set<Reason> WITHOUT_NODE =
            EnumSet.of(Reason.INFEASIBLE, Reason.VOLUME_PINNED, Reason.CONTRADICTS);

    @Override
    public Optional<Hold> against(
            Candidate candidate, Infeasibility infeasibility, InfeasibleSince.Period nowhere, Instant now) {
        Optional<Instant> evictedAt = evictedAt(candidate, nowhere.since())
                .filter(_ ->
                        infeasibility.mayBeOverridden() && candidate.strategy().mayEvictWithoutNode());
        return evictedAt.filter(at -> !nowhere.last().isBefore(at)).isPresent()
                ? Optional.empty()
                : Optional.of(noPlace(named(infeasibility, candidate), evictedAt, now))
                        .map(hold -> evictedAt
                                .map(at -> hold.adding(
                                        "; the pod is evicted nevertheless if this lasts until " + Hold.second(at),
                                        candidate.requestingPolicy().policy()))
                                .orElse(hold));
    }

    /**
     * {@return the infeasibility, under a reason of its own if the rule is required only while a node satisfies it}
     */
    private static Infeasibility named(Infeasibility infeasibility, Candidate candidate) {
        return candidate.isRequiredWherePossible() && WITHOUT_NODE.contains(infeasibility.reason())
                ? infeasibility.after(Reason.NOT_POSSIBLE, "the rule is required only where possible, and ")
                : infeasibility;
    }

    private static Hold noPlace(Infeasibility infeasibility, Optional<Instant> evictedAt, Instant now) {
        Instant again = now.plus(LOOK_AGAIN);
        Hold hold = Hold.until(
                infeasibility.reason(),
                infeasibility.message(),
                evictedAt.filter(again::isAfter).orElse(again));
        return infeasibility.forTenants().map(hold::redacted).orElse(hold);
    }

    /**
     * {@return when the first requesting policy evicts the pod although no other node would take it; empty if none ever
     * does, as for anti-affinity over all namespaces in domains of several nodes} The time counts from when the
     * violation is due for the policy, or from when no node would take the pod, whichever is later.
     */
    static Optional<Instant> evictedAt(Candidate candidate, Instant nowhereSince) {
        if (candidate.rule() instanceof Rule.PodAntiAffinity anti && anti.term().isClusterWide()) {
            // The scheduler could preempt pods of other namespaces for a replacement that has no node.
            return Optional.empty();
        }
        Instant dueSince = candidate.requestingPolicy().dueSince();
        Instant heldSince = nowhereSince.isAfter(dueSince) ? nowhereSince : dueSince;
        return candidate.whenInfeasible().evictAfter().map(heldSince::plus);
    }
}
