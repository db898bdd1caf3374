package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Holds a candidate whose PodDisruptionBudget allows no disruption now, as the watched status of the budget shows. So
 * no dry run is sent that the API server would refuse. Moves in flight count against the budget until their victims
 * terminate, because the status may not show them yet.
 *
 * <p>The check leaves to the dry run what the status does not decide: a victim that is not Ready, which a budget may
 * let go, and a victim that several budgets select. Audits send no dry run, so they are not held.
 */
final class DisruptionBudgetCheck implements Check {
    /** The longest time until the next check. A raised status of the budget leads to a plan at once. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Pod pod = candidate.pod();
        if (candidate.mode() != Mode.ENFORCE || !pod.ready()) {
            return Optional.empty();
        }
        List<DisruptionBudget> budgets = situation.view().budgetsIn(pod.namespace()).stream()
                .filter(budget -> covering(budget).test(pod))
                .limit(2)
                .toList();
        return budgets.size() == 1 && isSpent(budgets.getFirst(), situation)
                ? Optional.of(hold(budgets.getFirst(), situation))
                : Optional.empty();
    }

    private static boolean isSpent(DisruptionBudget budget, Situation situation) {
        if (budget.disruptionsAllowed() <= 0) {
            return true;
        }
        Predicate<Pod> covering = covering(budget);
        return situation.moves().inFlight(move -> covering.test(move.victim()) && isStillThere(move, situation))
                >= budget.disruptionsAllowed();
    }

    private static boolean isStillThere(Move move, Situation situation) {
        return situation
                .view()
                .pod(move.victim().uid())
                .filter(pod -> !pod.terminating())
                .isPresent();
    }

    private static Hold hold(DisruptionBudget budget, Situation situation) {
        Reason reason = budget.neverAllows() ? Reason.DISRUPTION_BUDGET_NEVER_ALLOWS : Reason.DISRUPTION_BUDGET;
        String message = budget.neverAllows()
                ? budget.describeNever()
                : "disruption budget " + budget.name().name() + " allows no disruption now";
        return Hold.until(reason, message, situation.now().plus(LOOK_AGAIN));
    }

    private static Predicate<Pod> covering(DisruptionBudget budget) {
        Optional<LabelMatcher> selector =
                LabelMatcher.of(budget.selector()) instanceof ParseResult.Usable<LabelMatcher>(var it)
                        ? Optional.of(it)
                        : Optional.empty();
        return pod -> budget.name().namespace().equals(pod.namespace())
                && selector.filter(it -> it.matches(pod.labels())).isPresent();
    }
}
