package dev.holdfast.operator.publish.series;

import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes the gauges of policies from their latest reports. Policies without series of their own are added up: their
 * violations, their holds, and how many have each mode. The oldest violation is that of all these policies, which count
 * as ready if each of them is.
 */
final class PolicyGauges {
    private static final String VIOLATIONS = "holdfast_violations";
    private static final String OLDEST = "holdfast_violation_oldest_seconds";
    private static final String HELD = "holdfast_held_violations";
    private static final String MODE = "holdfast_policy_mode";
    private static final String READY = "holdfast_policy_ready";
    private static final SeriesLabels OTHERS = SeriesLabels.ofOthers();

    private final List<PolicyState> own;
    private final List<PolicyState> others;
    private final MetricsText text;

    private PolicyGauges(List<PolicyState> policies, MetricsText text) {
        this.own = policies.stream().filter(PolicyState::own).toList();
        this.others = policies.stream().filter(it -> !it.own()).toList();
        this.text = text;
    }

    /** Writes the gauges of these policies. */
    static void write(List<PolicyState> policies, MetricsText text, Instant now) {
        PolicyGauges gauges = new PolicyGauges(policies, text);
        gauges.violations();
        gauges.oldest(now);
        gauges.held();
        gauges.modes();
        gauges.ready();
    }

    private static Stream<PolicyReport> reports(List<PolicyState> policies) {
        return policies.stream().flatMap(it -> it.report().stream());
    }

    private void violations() {
        text.metric(VIOLATIONS, MetricType.GAUGE, "Violations now, by policy, rule and state.");
        own.forEach(policy -> {
            Map<String, Map<ViolationState, Integer>> sums = new TreeMap<>();
            reports(List.of(policy))
                    .forEach(report -> report.violations()
                            .forEach((at, number) -> sums.computeIfAbsent(
                                            policy.counters().hasRule(at.rule()) ? at.rule() : SeriesLabels.OTHERS,
                                            _ -> new TreeMap<>())
                                    .merge(at.state(), number, Integer::sum)));
            violations(policy.counters().labels(), sums);
        });
        Map<ViolationState, Integer> sum = new TreeMap<>();
        reports(others)
                .forEach(report ->
                        report.violations().forEach((at, number) -> sum.merge(at.state(), number, Integer::sum)));
        violations(OTHERS, Map.of(SeriesLabels.OTHERS, sum));
    }

    private void violations(SeriesLabels labels, Map<String, Map<ViolationState, Integer>> numbers) {
        numbers.forEach((rule, states) -> states.forEach((state, number) -> text.series(
                VIOLATIONS,
                labels.policyAndNamespace() + "," + MetricsText.label("rule", rule) + ","
                        + MetricsText.label("state", state.label()),
                number)));
    }

    private void oldest(Instant now) {
        text.metric(OLDEST, MetricType.GAUGE, "Age of a policy's oldest violation; 0 without any.");
        own.forEach(policy -> policy.report()
                .ifPresent(report ->
                        text.series(OLDEST, policy.counters().labels().policy(), oldestSeconds(report, now))));
        reports(others)
                .map(report -> oldestSeconds(report, now))
                .max(Comparator.naturalOrder())
                .ifPresent(seconds -> text.series(OLDEST, OTHERS.policy(), seconds));
    }

    private static double oldestSeconds(PolicyReport report, Instant now) {
        return report.oldest().isEmpty()
                ? 0
                : Math.max(
                        0,
                        Duration.between(report.oldest().getFirst().since(), now)
                                        .toMillis()
                                / 1_000.0);
    }

    private void held() {
        text.metric(HELD, MetricType.GAUGE, "Violations that are due and not acted on, by reason.");
        own.forEach(policy -> policy.report().ifPresent(report -> {
            long most = policy.policy().isOfCluster() ? Long.MAX_VALUE : PolicySeries.REASONS;
            held(policy.counters().labels(), report.holds(), most);
        }));
        Map<Reason, Integer> sum = new TreeMap<>();
        reports(others)
                .forEach(report -> report.holds().forEach((reason, number) -> sum.merge(reason, number, Integer::sum)));
        held(OTHERS, sum, Long.MAX_VALUE);
    }

    private void held(SeriesLabels labels, Map<Reason, Integer> numbers, long most) {
        List<Map.Entry<Reason, Integer>> sorted = numbers.entrySet().stream()
                .sorted(Map.Entry.<Reason, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
        sorted.stream().limit(most).forEach(it -> held(labels, it.getKey().label(), it.getValue()));
        if (sorted.size() > most) {
            held(
                    labels,
                    SeriesLabels.OTHERS,
                    sorted.stream().skip(most).mapToInt(Map.Entry::getValue).sum());
        }
    }

    private void held(SeriesLabels labels, String reason, int number) {
        text.series(HELD, labels.policy() + "," + MetricsText.label("reason", reason), number);
    }

    private void modes() {
        text.metric(MODE, MetricType.GAUGE, "1 for the mode in force, which maxMode or missing rights may weaken.");
        own.forEach(policy ->
                policy.report().ifPresent(report -> modes(policy.counters().labels(), List.of(report))));
        List<PolicyReport> rest = reports(others).toList();
        if (!rest.isEmpty()) {
            modes(OTHERS, rest);
        }
    }

    private void modes(SeriesLabels labels, List<PolicyReport> reports) {
        for (Mode mode : Mode.values()) {
            text.number(
                    MODE,
                    MetricsText.label("mode", mode.label()) + "," + labels.policy(),
                    reports.stream().filter(it -> it.mode() == mode).count());
        }
    }

    private void ready() {
        text.metric(READY, MetricType.GAUGE, "1 while the policy is valid and evaluated, else 0.");
        own.forEach(policy ->
                policy.ready().ifPresent(ready -> ready(policy.counters().labels(), ready)));
        others.stream()
                .flatMap(it -> it.ready().stream())
                .reduce(Boolean::logicalAnd)
                .ifPresent(ready -> ready(OTHERS, ready));
    }

    private void ready(SeriesLabels labels, boolean ready) {
        text.series(READY, labels.policy(), ready ? 1 : 0);
    }
}
