package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.Parsed;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Holds by disruption budgets that a change of a budget lifts: a rise lifts those it may have caused, another selector
 * or its end also those caused by its standing beside another. A time the API server has named is waited for all the same.
 */
final class BudgetHolds {
    /** For want of something left. */
    private static final Set<Reason> SPENT =
            EnumSet.of(Reason.DISRUPTION_BUDGET, Reason.DISRUPTION_BUDGET_NEVER_ALLOWS);

    private static final Set<Reason> ALL =
            EnumSet.of(Reason.DISRUPTION_BUDGET, Reason.DISRUPTION_BUDGET_NEVER_ALLOWS, Reason.SEVERAL_BUDGETS);

    private BudgetHolds() {}

    /** {@return a budget of the pod's that would allow no eviction even if all was well; the first by name} */
    static Optional<DisruptionBudget> neverAllowing(Pod pod, State state) {
        return state.cluster.budgets().stream()
                .filter(budget -> budget.neverAllows() && covers(budget, pod))
                .min(Comparator.comparing(budget -> budget.name().name()));
    }

    /** {@return what such a budget means and asks for, in words} */
    static String never(DisruptionBudget budget) {
        return "disruption budget " + budget.name().name()
                + " would allow no eviction even if all its pods were healthy; loosen it or add replicas";
    }

    /** Lifts what the fact, which is about to come true, gives reason to lift. */
    static void lift(ClusterEvent fact, State state) {
        if (fact instanceof ClusterEvent.OfBudget change) {
            lift(change, state);
        }
    }

    private static void lift(ClusterEvent.OfBudget change, State state) {
        switch (change) {
            case ClusterEvent.BudgetChanged(DisruptionBudget after) ->
                state.cluster.budget(after.uid()).ifPresent(before -> changed(before, after, state));
            case ClusterEvent.BudgetGone(String uid) ->
                state.cluster.budget(uid).ifPresent(gone -> lift(gone, ALL, state));
        }
    }

    private static void changed(DisruptionBudget before, DisruptionBudget after, State state) {
        if (!after.selector().equals(before.selector())) {
            lift(before, ALL, state);
        } else if (after.disruptionsAllowed() > before.disruptionsAllowed()) {
            lift(after, SPENT, state);
        }
    }

    private static void lift(DisruptionBudget budget, Set<Reason> reasons, State state) {
        state.lift((pod, refusal) ->
                !refusal.firm() && reasons.contains(refusal.hold().reason()) && covers(budget, pod));
    }

    private static boolean covers(DisruptionBudget budget, Pod pod) {
        Optional<LabelMatcher> selector =
                LabelMatcher.of(budget.selector()) instanceof Parsed.Usable<LabelMatcher>(var it)
                        ? Optional.of(it)
                        : Optional.empty();
        return budget.name().namespace().equals(pod.namespace())
                && selector.filter(it -> it.matches(pod.labels())).isPresent();
    }
}
