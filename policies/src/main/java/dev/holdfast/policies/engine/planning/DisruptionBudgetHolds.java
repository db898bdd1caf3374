package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.Refusal;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Creates the holds that PodDisruptionBudgets cause, and lifts them when a budget changes. If a budget allows more
 * disruptions than before, the holds that this budget may have caused are lifted. If a budget is deleted or gets a new
 * selector, the holds of pods that several budgets select are lifted too. A hold for which the API server named a retry
 * time is not lifted earlier.
 */
public final class DisruptionBudgetHolds {
    /** The reasons of the holds that are lifted when a budget allows more disruptions. */
    private static final Set<Reason> SPENT =
            EnumSet.of(Reason.DISRUPTION_BUDGET, Reason.DISRUPTION_BUDGET_NEVER_ALLOWS);

    private static final Set<Reason> ALL =
            EnumSet.of(Reason.DISRUPTION_BUDGET, Reason.DISRUPTION_BUDGET_NEVER_ALLOWS, Reason.SEVERAL_BUDGETS);

    /**
     * How long until a pod is checked again if its budget never allows an eviction, for example one with {@code
     * maxUnavailable: 0}.
     */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final LiveCluster cluster;
    private final Decisions decisions;

    public DisruptionBudgetHolds(LiveCluster cluster, Decisions decisions) {
        this.cluster = cluster;
        this.decisions = decisions;
    }

    /**
     * {@return the hold of a pod whose budget would allow no eviction even if all its pods were healthy; empty if no
     * such budget selects the pod}
     */
    Optional<Hold> neverAllowed(Pod pod, Instant now) {
        return neverAllowing(pod)
                .map(budget -> Hold.until(
                        Reason.DISRUPTION_BUDGET_NEVER_ALLOWS, Refusal.neverAllows(budget), now.plus(LOOK_AGAIN)));
    }

    /**
     * {@return the hold after the API server refused to evict the victim}
     *
     * @param answer any answer except Evicted
     * @param before the last refusal for the same violation; absent if this is the first
     */
    public Refusal refusal(Pod victim, EvictionAnswer answer, Optional<Refusal> before, Instant now) {
        return answer instanceof EvictionAnswer.OutOfBudget spent
                ? neverAllowing(victim)
                        .map(budget -> Refusal.ofNever(budget, spent, before, now))
                        .orElseGet(() -> Refusal.of(answer, before, now))
                : Refusal.of(answer, before, now);
    }

    /**
     * {@return the first budget, by name, that selects the pod and never allows an eviction; empty if there is none}
     */
    private Optional<DisruptionBudget> neverAllowing(Pod pod) {
        return cluster.budgets().stream()
                .filter(budget -> budget.neverAllows() && covers(budget, pod))
                .min(Comparator.comparing(budget -> budget.name().name()));
    }

    /**
     * Lifts the holds that a changed or deleted budget may have caused. Must be called before the change is applied to
     * the cluster state.
     */
    public void beforeChange(ClusterEvent fact) {
        if (fact instanceof ClusterEvent.OfBudget change) {
            switch (change) {
                case ClusterEvent.BudgetChanged(DisruptionBudget after) ->
                    cluster.budget(after.uid()).ifPresent(before -> changed(before, after));
                case ClusterEvent.BudgetGone(String uid) -> cluster.budget(uid).ifPresent(gone -> lift(gone, ALL));
            }
        }
    }

    private void changed(DisruptionBudget before, DisruptionBudget after) {
        if (!after.selector().equals(before.selector())) {
            lift(before, ALL);
        } else if (after.disruptionsAllowed() > before.disruptionsAllowed()) {
            lift(after, SPENT);
        }
    }

    private void lift(DisruptionBudget budget, Set<Reason> reasons) {
        decisions.lift((pod, refusal) ->
                !refusal.firm() && reasons.contains(refusal.hold().reason()) && covers(budget, pod));
    }

    private static boolean covers(DisruptionBudget budget, Pod pod) {
        Optional<LabelMatcher> selector =
                LabelMatcher.of(budget.selector()) instanceof ParseResult.Usable<LabelMatcher>(var it)
                        ? Optional.of(it)
                        : Optional.empty();
        return budget.name().namespace().equals(pod.namespace())
                && selector.filter(it -> it.matches(pod.labels())).isPresent();
    }
}
