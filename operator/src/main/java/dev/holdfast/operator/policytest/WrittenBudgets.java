package dev.holdfast.operator.policytest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.dump.DumpException;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The status of disruption budgets that are written without one, as the disruption controller would count it. */
final class WrittenBudgets {
    private static final List<String> LIMITS = List.of("minAvailable", "maxUnavailable");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}|[0-9]{1,3}%");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** The specs of the budgets without a status. */
    private final Map<NamespacedName, JsonNode> specs = new HashMap<>();

    /**
     * Reads a budget as it is written.
     *
     * @throws DumpException if its limit is no number and no percentage
     */
    void note(ObjectNode budget) throws DumpException {
        for (String limit : LIMITS) {
            JsonNode value = budget.path("spec").path(limit);
            if (!value.isMissingNode() && !NUMBER.matcher(value.asText()).matches()) {
                throw new DumpException("PodDisruptionBudget " + Rollout.namespace(budget) + "/" + Rollout.name(budget)
                        + ": `" + limit + "` must be a number or a percentage, and is " + value.asText());
            }
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
                ? expected - scaled(spec.path("minAvailable"), expected)
                : scaled(spec.path("maxUnavailable"), expected);
        int disruptions = Math.max(0, Math.min(allowed, expected));
        return new DisruptionBudget(
                budget.uid(), budget.name(), budget.selector(), disruptions, expected > 0 && disruptions == 0);
    }

    /** {@return a number, or a percentage of the expected pods, rounded up} */
    private static int scaled(JsonNode value, int expected) {
        String text = value.asText();
        if (!text.endsWith("%")) {
            return value.asInt();
        }
        return new BigDecimal(text.substring(0, text.length() - 1))
                .multiply(BigDecimal.valueOf(expected))
                .divide(HUNDRED, 0, RoundingMode.CEILING)
                .intValue();
    }
}
