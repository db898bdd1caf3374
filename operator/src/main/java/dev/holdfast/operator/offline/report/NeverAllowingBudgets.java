package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.ClusterReport.NeverAllowing;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.DisruptionBudget.Limit;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the disruption budgets that would allow no eviction even if all their pods were healthy: their status says so,
 * or their spec if there is no status, as in a file that a person wrote.
 *
 * <p>Example: {@code minAvailable: 3} with three pods. With four pods, one may be evicted.
 */
final class NeverAllowingBudgets {
    private static final int PERCENT = 100;

    private NeverAllowingBudgets() {}

    /**
     * {@return the budgets that select a listed pod and never allow its eviction, by namespace and name}
     *
     * @param pods the running pods
     */
    static List<NeverAllowing> of(ReadCluster read, Collection<Pod> pods, Collection<Pod> listed) {
        Map<String, List<Pod>> byNamespace = byNamespace(pods);
        Map<String, List<Pod>> listedByNamespace = byNamespace(listed);
        List<NeverAllowing> found = new ArrayList<>();
        for (ClusterEvent event : read.dump().objects()) {
            if (event instanceof ClusterEvent.BudgetChanged(DisruptionBudget budget)
                    && (budget.neverAllows() || !budget.spec().observed())) {
                int selected = selected(budget, byNamespace);
                if (selected(budget, listedByNamespace) > 0 && neverAllows(budget, selected)) {
                    found.add(new NeverAllowing(
                            budget.name().namespace(),
                            budget.name().name(),
                            selected,
                            why(budget.spec().limit(), selected),
                            advice(budget.spec().limit())));
                }
            }
        }
        found.sort(Comparator.comparing(NeverAllowing::namespace).thenComparing(NeverAllowing::budget));
        return found;
    }

    private static Map<String, List<Pod>> byNamespace(Collection<Pod> pods) {
        return pods.stream().collect(Collectors.groupingBy(Pod::namespace));
    }

    private static int selected(DisruptionBudget budget, Map<String, List<Pod>> byNamespace) {
        return LabelMatcher.of(budget.selector()) instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher selector)
                ? (int) byNamespace.getOrDefault(budget.name().namespace(), List.of()).stream()
                        .filter(pod -> selector.matches(pod.labels()))
                        .count()
                : 0;
    }

    private static boolean neverAllows(DisruptionBudget budget, int pods) {
        return budget.neverAllows()
                || switch (budget.spec().limit()) {
                    case Limit.None _ -> false;
                    case Limit.MinAvailable(int least) -> least >= pods;
                    case Limit.MinAvailablePercent(int percent) -> share(percent, pods) >= pods;
                    case Limit.MaxUnavailable(int most) -> most <= 0;
                    case Limit.MaxUnavailablePercent(int percent) -> share(percent, pods) <= 0;
                };
    }

    private static int share(int percent, int pods) {
        return Math.ceilDiv(percent * pods, PERCENT);
    }

    private static String why(Limit limit, int pods) {
        return switch (limit) {
            case Limit.None _ -> "its status requires all of its pods";
            case Limit.MinAvailable(int least) ->
                "minAvailable is " + least + ", and it selects " + Count.of(pods, "pod");
            case Limit.MinAvailablePercent(int percent) ->
                "minAvailable is " + percent + "%, which rounds up to all of its pods";
            case Limit.MaxUnavailable(int most) -> "maxUnavailable is " + most;
            case Limit.MaxUnavailablePercent(int percent) -> "maxUnavailable is " + percent + "%";
        };
    }

    private static String advice(Limit limit) {
        return switch (limit) {
            case Limit.None _ -> "loosen it, or add replicas";
            case Limit.MinAvailablePercent(int percent) when percent >= PERCENT -> "lower minAvailable";
            case Limit.MinAvailable _, Limit.MinAvailablePercent _ -> "lower minAvailable, or add replicas";
            case Limit.MaxUnavailable _ -> "set maxUnavailable to 1 or more";
            case Limit.MaxUnavailablePercent _ -> "raise maxUnavailable above 0%";
        };
    }
}
