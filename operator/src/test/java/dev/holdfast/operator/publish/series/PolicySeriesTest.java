package dev.holdfast.operator.publish.series;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.publish.Samples;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.PolicyReport.RuleState;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.PolicyId;
import io.micrometer.core.instrument.Clock;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests how many series the policies of tenants have, and what they add to a scrape. */
class PolicySeriesTest {
    private static final Instant NOW = Samples.SINCE.plusSeconds(602);
    private static final List<String> ANSWERS = List.of("Evicted", "DryRunUnsupported", "NamespaceTerminating");
    private static final PolicyId CLUSTER = PolicyId.cluster("audit");

    private static final List<Reason> REASONS = List.of(Reason.values());

    /** As many violations for each reason as there are reasons before it. */
    private static final Map<Reason, Integer> HOLDS =
            IntStream.range(0, REASONS.size()).boxed().collect(toMap(REASONS::get, i -> i));

    /** A thread per task: the common pool of a small machine has one, which a blocked task would take. */
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private final PolicySeries series = new PolicySeries(ANSWERS, Clock.SYSTEM);

    private List<String> scraped(String prefix) {
        return scrape().lines().filter(line -> line.startsWith(prefix)).toList();
    }

    private String scrape() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        series.write(new MetricsText(out), NOW);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static PolicyId policy(int namespace, int number) {
        return PolicyId.namespaced(
                String.format(Locale.ROOT, "team-%03d", namespace), String.format(Locale.ROOT, "policy-%04d", number));
    }

    /** {@return a policy whose name has 253 characters and whose namespace has 63} */
    private static PolicyId longest(int number) {
        return PolicyId.namespaced(
                "n".repeat(60) + String.format(Locale.ROOT, "%03d", number % 100),
                "p".repeat(249) + String.format(Locale.ROOT, "%04d", number));
    }

    /** {@return names of rules with 63 characters} */
    private static Set<String> rules(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> "r".repeat(61) + String.format(Locale.ROOT, "%02d", i))
                .collect(toSet());
    }

    /** {@return a report with a violation of each rule in each state, and a violation held for each reason} */
    private static PolicyReport report(PolicyId policy, Set<String> rules) {
        PolicyReport it = Samples.report(policy);
        return new PolicyReport(
                policy,
                it.generation(),
                it.mode(),
                rules,
                it.limits(),
                it.pods(),
                rules.stream()
                        .flatMap(rule -> Stream.of(ViolationState.values()).map(state -> new RuleState(rule, state)))
                        .collect(toMap(at -> at, _ -> 1)),
                HOLDS,
                it.verdictDifference(),
                it.backlog(),
                Optional.empty(),
                it.outlook(),
                it.nextDeadline(),
                it.oldest(),
                it.recent());
    }

    @Test
    void twoThousandPoliciesOfTwentyRulesWithTheLongestNamesAddAtMost20MebibytesToAScrape() {
        for (int i = 0; i < 2_000; i++) {
            series.report(report(longest(i), rules(20)));
            series.ready(longest(i), true);
        }

        assertThat(scrape().length())
                .isLessThan((int) (PolicySeries.POLICY_BYTES + PolicySeries.RULE_BYTES + (32 << 10)));
        // 12 MiB / (40 series x (110 + 409 bytes))
        assertThat(scraped("holdfast_policy_ready{"))
                .hasSize(606 + 1)
                .endsWith("holdfast_policy_ready{policy=\"(others)\"} 1.0");
    }

    @Test
    void aPolicyAddsNoMoreThanItTakesFromTheBudget() {
        PolicyId policy = longest(0);
        SeriesLabels labels = SeriesLabels.of(policy);
        Set<String> rules = rules(20);
        series.report(report(policy, rules));
        series.ready(policy, true);
        series.started(policy, "late");

        long own = scrape().lines()
                .filter(line -> !line.startsWith("#"))
                .mapToLong(line -> line.length() + 1L)
                .sum();

        assertThat(own)
                .isLessThanOrEqualTo(labels.bytes(PolicySeries.seriesOfPolicy(ANSWERS.size()))
                        + rules.stream().mapToLong(labels::bytesOfRule).sum()
                        + labels.bytesOfRule("late"));
    }

    @Test
    void aThousandPoliciesWithNamesOfUsualLengthHaveSeriesOfTheirOwn() {
        for (int i = 0; i < 1_000; i++) {
            series.report(Samples.report(policy(i % 100, i)));
        }

        assertThat(scraped("holdfast_evictions_futile_total"))
                .hasSize(1_000)
                .noneMatch(line -> line.contains("others"));
        assertThat(scraped("holdfast_violations_started_total"))
                .hasSize(2_000)
                .noneMatch(line -> line.contains("others"));
    }

    @Test
    void aTenantWithManyPoliciesLeavesRoomForOthersAndForClusterPolicies() {
        for (int i = 0; i < 2_000; i++) {
            series.report(report(policy(1, i), rules(20)));
        }
        series.report(Samples.report(policy(2, 1)));
        series.report(Samples.report(CLUSTER));

        assertThat(scraped("holdfast_evictions_futile_total"))
                .contains(
                        "holdfast_evictions_futile_total{policy=\"(others)\"} 0.0",
                        "holdfast_evictions_futile_total{policy=\"team-002/policy-0001\"} 0.0",
                        "holdfast_evictions_futile_total{policy=\"audit\"} 0.0");
        assertThat(scraped("holdfast_violations_started_total"))
                .contains(
                        "holdfast_violations_started_total{policy=\"team-002/policy-0001\",rule=\"ssd\"} 0.0",
                        "holdfast_violations_started_total{policy=\"audit\",rule=\"ssd\"} 0.0");
    }

    /** {@return ids of two policies that have no series of their own} */
    private List<PolicyId> crowdedOut() {
        for (int i = 0; i < 2_000; i++) {
            series.report(Samples.report(longest(i)));
        }
        series.keepOnly(policy -> policy.equals(longest(1_998)) || policy.equals(longest(1_999)));
        return List.of(longest(1_998), longest(1_999));
    }

    @Test
    void policiesWithoutSeriesOfTheirOwnAreAddedUp() {
        List<PolicyId> two = crowdedOut();
        series.ready(two.getFirst(), true);
        series.ready(two.getLast(), false);

        String labels = "policy=\"(others)\",policy_namespace=\"(others)\",rule=\"(others)\",state=";
        assertThat(scrape().lines()
                        .filter(line -> !line.startsWith("#")
                                && line.matches("holdfast_(violations|held|policy|violation_oldest).*(?<! 0.0)")))
                .containsExactly(
                        "holdfast_violations{" + labels + "\"Forgiving\"} 2.0",
                        "holdfast_violations{" + labels + "\"Held\"} 2.0",
                        "holdfast_violations{" + labels + "\"Evicting\"} 2.0",
                        "holdfast_violation_oldest_seconds{policy=\"(others)\"} 602.0",
                        "holdfast_held_violations{policy=\"(others)\",reason=\"DisruptionBudget\"} 2.0",
                        "holdfast_policy_mode{mode=\"Enforce\",policy=\"(others)\"} 2.0");
        assertThat(scraped("holdfast_policy_ready")).containsExactly("holdfast_policy_ready{policy=\"(others)\"} 0.0");
    }

    @Test
    void theCountersOfTheOthersNeverDecrease() {
        List<PolicyId> two = crowdedOut();
        series.started(two.getFirst(), "ssd");
        series.started(two.getLast(), "ssd");
        series.ended(two.getFirst(), End.HEALED, 61);
        series.answered(two.getFirst(), "Evicted");
        series.futile(two.getFirst());

        series.forget(two.getFirst());

        assertThat(scraped("holdfast_"))
                .contains(
                        "holdfast_violations_started_total{policy=\"(others)\",rule=\"(others)\"} 2.0",
                        "holdfast_violations_ended_total{how=\"healed\",policy=\"(others)\"} 1.0",
                        "holdfast_evictions_total{outcome=\"Evicted\",policy=\"(others)\",policy_namespace=\"(others)\"}"
                            + " 1.0",
                        "holdfast_evictions_futile_total{policy=\"(others)\"} 1.0",
                        "holdfast_violation_duration_seconds_bucket{policy=\"(others)\",le=\"60.0\"} 0",
                        "holdfast_violation_duration_seconds_bucket{policy=\"(others)\",le=\"300.0\"} 1",
                        "holdfast_violation_duration_seconds_sum{policy=\"(others)\"} 61.0",
                        "holdfast_violation_duration_seconds_max{policy=\"(others)\"} 61.0");
    }

    @Test
    void whatADeletedPolicyTookIsFreeForOthers() {
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 100; i++) {
                series.report(Samples.report(longest(100 * round + i)));
            }
            series.keepOnly(_ -> false);
        }
        series.report(Samples.report(longest(0)));

        assertThat(scraped("holdfast_violations_started_total")).hasSize(2).noneMatch(line -> line.contains("others"));
    }

    @Test
    void whatADeletedRuleTookIsFreeForOthers() {
        for (int round = 0; round < 1_000; round++) {
            series.report(report(policy(1, 1), Set.of("r".repeat(50) + round)));
        }

        assertThat(scraped("holdfast_violations_started_total"))
                .containsExactly("holdfast_violations_started_total{policy=\"team-001/policy-0001\",rule=\""
                        + "r".repeat(50) + "999\"} 0.0");
    }

    /** The informer deletes a policy while the engine still reports on it. */
    @Test
    void aLateReportOnADeletedPolicyGivesNothingBackASecondTime() {
        PolicyId policy = PolicyId.namespaced("shop", "web");
        SeriesLabels labels = SeriesLabels.of(policy);
        long bytes = labels.bytesOfRule("one");
        SeriesBudget budget = new SeriesBudget(8 * bytes);
        PolicyState state =
                new PolicyState(policy, new PolicyCounters(labels, List.of(), Clock.SYSTEM), budget, labels.bytes(1));
        state.report(report(policy, Set.of("one")));
        state.end();

        state.report(report(policy, Set.of()));

        assertThat(IntStream.rangeClosed(1, 9).filter(i -> budget.take("team-" + i, bytes)))
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void ofTheReasonsOfAPlacementPolicyTheEightMostFrequentAreNamed() {
        PolicyReport all = report(policy(1, 1), Set.of("ssd"));
        int number = REASONS.size();
        series.report(all);

        assertThat(scraped("holdfast_held_violations"))
                .hasSize(9)
                .startsWith("holdfast_held_violations{policy=\"team-001/policy-0001\",reason=\""
                        + REASONS.getLast().label() + "\"} " + (number - 1) + ".0")
                .endsWith("holdfast_held_violations{policy=\"team-001/policy-0001\",reason=\"(others)\"} "
                        + IntStream.range(0, number - 8).sum() + ".0");
    }

    @Test
    void ofAClusterPolicyAllReasonsAreNamed() {
        series.report(report(CLUSTER, Set.of("ssd")));

        assertThat(scraped("holdfast_held_violations")).hasSize(REASONS.size());
    }

    /** A policy that is deleted, or switched to Disabled, must not wait for a slow scrape. */
    @Test
    void aPolicyChangesAndGoesWhileAScrapeIsWritten() {
        CountDownLatch writes = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        series.report(Samples.report(CLUSTER));
        CompletableFuture<Void> scrape = CompletableFuture.runAsync(
                () -> series.write(
                        new MetricsText(new ByteArrayOutputStream() {
                            @Override
                            public void writeBytes(byte[] text) {
                                writes.countDown();
                                try {
                                    goesOn.await();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            }
                        }),
                        NOW),
                THREADS);
        CompletableFuture<Void> changes = CompletableFuture.runAsync(
                () -> {
                    try {
                        writes.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    series.report(report(CLUSTER, Set.of("other")));
                    series.started(CLUSTER, "third");
                    series.ready(CLUSTER, true);
                    series.forget(CLUSTER);
                    series.keepOnly(_ -> false);
                },
                THREADS);

        assertThat(changes).succeedsWithin(Duration.ofSeconds(10));
        assertThat(scrape).isNotDone();
        goesOn.countDown();
        scrape.join();
    }

    @Test
    void aValueWithQuotesEndsNoLabel() {
        series.started(CLUSTER, "a\"b\\c\nd");

        assertThat(scraped("holdfast_violations_started_total"))
                .containsExactly("holdfast_violations_started_total{policy=\"audit\",rule=\"a\\\"b\\\\c\\nd\"} 1.0");
    }
}
