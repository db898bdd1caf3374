package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.Decisions;
import dev.holdfast.policies.engine.memory.Refusal;
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
 * Holds because of disruption budgets (PDBs), and which changes of a budget lift them. A budget that allows more lifts those
 * it may have caused. A budget with another selector, or one that is gone, also lifts those of pods that several budgets
 * select. A time that the API server has named is always waited for.
 */
public final class PdbHolds {
    /** The reasons of a budget that has nothing left. */
    private static final Set<Reason> SPENT =
            EnumSet.of(Reason.DISRUPTION_BUDGET, Reason.DISRUPTION_BUDGET_NEVER_ALLOWS);

    private static final Set<Reason> ALL =
            EnumSet.of(Reason.DISRUPTION_BUDGET, Reason.DISRUPTION_BUDGET_NEVER_ALLOWS, Reason.SEVERAL_BUDGETS);

    /** What a budget would allow is not told by an event. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final LiveCluster cluster;
    private final Decisions decisions;

    public PdbHolds(LiveCluster cluster, Decisions decisions) {
        this.cluster = cluster;
        this.decisions = decisions;
    }

    /** {@return the hold of a pod with a budget that would allow no eviction even if all its pods were healthy} */
    Optional<Hold> neverAllowed(Pod pod, Instant now) {
        return neverAllowing(pod)
                .map(budget -> Hold.until(
                        Reason.DISRUPTION_BUDGET_NEVER_ALLOWS, Refusal.neverAllows(budget), now.plus(LOOK_AGAIN)));
    }

    /**
     * {@return the refusal that an answer other than Evicted means}
     *
     * @param before the last refusal for the same violation
     */
    public Refusal refusal(Pod victim, EvictionAnswer answer, Optional<Refusal> before, Instant now) {
        return answer instanceof EvictionAnswer.OutOfBudget spent
                ? neverAllowing(victim)
                        .map(budget -> Refusal.ofNever(budget, spent, before, now))
                        .orElseGet(() -> Refusal.of(answer, before, now))
                : Refusal.of(answer, before, now);
    }

    /** The first such budget by name. */
    private Optional<DisruptionBudget> neverAllowing(Pod pod) {
        return cluster.budgets().stream()
                .filter(budget -> budget.neverAllows() && covers(budget, pod))
                .min(Comparator.comparing(budget -> budget.name().name()));
    }

    /** Lifts what the fact, which is not applied yet, gives reason to lift. */
    public void see(ClusterEvent fact) {
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
