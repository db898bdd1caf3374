package dev.holdfast.operator.simulate;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Answers evictions as the API server does, by the disruption budgets. A Ready pod that goes, or is not Ready any more,
 * takes one disruption of its budget. It is given back when that pod is Ready again, or the one in its place.
 */
final class SimulatedBudgets {
    private final LiveCluster cluster;
    private final Consumer<ClusterEvent> change;

    /** How many disruptions below zero a budget is, by its UID: pods may go without asking it. */
    private final Map<String, Integer> below = new HashMap<>();

    /** The UIDs of budgets that have allowed a disruption, so that it is known when they have enough healthy pods. */
    private final Set<String> healthyOnce = new HashSet<>();

    /** @param change changes an object of the cluster */
    SimulatedBudgets(LiveCluster cluster, Consumer<ClusterEvent> change) {
        this.cluster = cluster;
        this.change = change;
    }

    /** {@return the answer to a request, which changes nothing yet} */
    EvictionAnswer answer(Pod pod) {
        if (!counts(pod)) {
            return new EvictionAnswer.Evicted();
        }
        List<DisruptionBudget> budgets = of(pod);
        if (budgets.size() > 1) {
            return new EvictionAnswer.SeveralBudgets(
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        return budgets.stream().anyMatch(budget -> !allows(budget, pod))
                ? new EvictionAnswer.OutOfBudget(
                        "Cannot evict pod as it would violate the pod's disruption budget.", Optional.empty())
                : new EvictionAnswer.Evicted();
    }

    /**
     * A pod that is not Ready may go as long as enough others are healthy, as {@code unhealthyPodEvictionPolicy:
     * IfHealthyBudget} says, the default. A budget that allowed nothing from the beginning may have too few healthy pods.
     */
    private boolean allows(DisruptionBudget budget, Pod pod) {
        boolean healthy = healthyOnce.contains(budget.uid()) && below.getOrDefault(budget.uid(), 0) == 0;
        return budget.disruptionsAllowed() > 0 || (!pod.ready() && healthy);
    }

    /** The API server asks no budget for a pod that has not started, has finished or is being deleted. */
    private static boolean counts(Pod pod) {
        return pod.started() && !pod.finished() && !pod.terminating();
    }

    /**
     * Records that a pod goes, or is not Ready any more. If it was Ready, its budgets allow one disruption less.
     *
     * @return whether it was Ready
     */
    boolean lose(Pod pod) {
        boolean lost = counts(pod) && pod.ready();
        if (lost) {
            of(pod).forEach(budget -> allow(budget, -1));
        }
        return lost;
    }

    /** Records that a pod that was lost is Ready again, or the one in its place. */
    void gain(Pod pod) {
        of(pod).forEach(budget -> allow(budget, 1));
    }

    private void allow(DisruptionBudget budget, int more) {
        if (budget.disruptionsAllowed() > 0) {
            healthyOnce.add(budget.uid());
        }
        int disruptions = budget.disruptionsAllowed() - below.getOrDefault(budget.uid(), 0) + more;
        below.put(budget.uid(), Math.max(0, -disruptions));
        change.accept(new ClusterEvent.BudgetChanged(new DisruptionBudget(
                budget.uid(), budget.name(), budget.selector(), Math.max(0, disruptions), budget.neverAllows())));
    }

    private List<DisruptionBudget> of(Pod pod) {
        return cluster.budgetsIn(pod.namespace()).stream()
                .filter(budget -> LabelMatcher.of(budget.selector())
                                instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)
                        && matcher.matches(pod.labels()))
                .toList();
    }
}
