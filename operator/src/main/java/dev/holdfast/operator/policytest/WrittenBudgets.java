package dev.holdfast.operator.policytest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.dump.DumpException;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The status of disruption budgets that are written without one, as the disruption controller would count it. */
final class WrittenBudgets {
    private static final List<String> LIMITS = List.of("minAvailable", "maxUnavailable");

    /** The specs of the budgets without a status. */
    private final Map<NamespacedName, JsonNode> specs = new HashMap<>();

    /**
     * Reads a budget as it is written.
     *
     * @throws DumpException if its limit is no number and no percentage
     */
    void note(ObjectNode budget) throws DumpException {
        for (String limit : LIMITS) {
            Share.require(
                    "PodDisruptionBudget " + Rollout.namespace(budget) + "/" + Rollout.name(budget),
                    limit,
                    budget.path("spec").path(limit));
        }
        NamespacedName name = new NamespacedName(Rollout.namespace(budget), Rollout.name(budget));
        if (budget.has("status")) {
            specs.remove(name);
        } else {
            specs.put(name, budget.path("spec"));
        }
    }

    /**
     * {@return the budget with its status, if it was written without one} All its pods count as healthy.
     *
     * <p>Example: {@code minAvailable: 50%} of five pods requires three, so two disruptions are allowed.
     */
    DisruptionBudget counted(DisruptionBudget budget, Collection<Pod> pods) {
        JsonNode spec = specs.get(budget.name());
        if (spec == null
                || !(LabelMatcher.of(budget.selector())
                        instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher))) {
            return budget;
        }
        int expected = (int) pods.stream()
                .filter(pod -> pod.namespace().equals(budget.name().namespace()) && matcher.matches(pod.labels()))
                .filter(pod -> !pod.finished())
                .count();
        int allowed = spec.has("minAvailable")
                ? expected - Share.of(spec.path("minAvailable"), expected, RoundingMode.CEILING)
                : Share.of(spec.path("maxUnavailable"), expected, RoundingMode.CEILING);
        int disruptions = Math.max(0, Math.min(allowed, expected));
        return new DisruptionBudget(
                budget.uid(), budget.name(), budget.selector(), disruptions, expected > 0 && disruptions == 0);
    }
}
