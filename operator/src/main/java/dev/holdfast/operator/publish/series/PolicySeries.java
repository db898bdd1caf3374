package dev.holdfast.operator.publish.series;

import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import io.micrometer.core.instrument.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The metrics of all policies, one time series for each label value of each policy. The metrics are no meters of a
 * registry: a meter costs 500 bytes and more per series, and a scrape of meters copies all of them.
 *
 * <p>ClusterPlacementPolicies and their rules have series of their own. PlacementPolicies and their rules have series
 * of their own while these fit into {@link #POLICY_BYTES} and {@link #RULE_BYTES}. The others share the series whose
 * label {@code policy} or {@code rule} is {@code (others)}. A policy or rule keeps what it got when it came, until it
 * goes or the process ends.
 *
 * <p>Memory: 2,000 PlacementPolicies of 20 rules, whose policies and namespaces have the longest names (253 and 63
 * characters), add at most 20 MiB to a scrape. 484 of them have series of their own: 50 series of at most 519 bytes
 * each. Of their rules, 2,880 are named: 5 series of at most 582 bytes each. Besides, the counters take 1 KB for each
 * of the 484 policies and 150 bytes for each of the 2,880 rules, together 1 MB.
 *
 * <p>Thread-safe. No method waits for a scrape.
 */
public final class PolicySeries {
    /** The most that the series of PlacementPolicies add to a scrape, without those of their rules. */
    static final long POLICY_BYTES = 12L << 20;

    /** The most that the series of the rules of PlacementPolicies add to a scrape. */
    static final long RULE_BYTES = 8L << 20;

    /** How many reasons of holds a PlacementPolicy has series for: the most frequent ones; others are one series. */
    static final int REASONS = 8;

    private final List<String> answers;
    private final Clock clock;
    private final SeriesBudget policyBudget = new SeriesBudget(POLICY_BYTES);
    private final SeriesBudget ruleBudget = new SeriesBudget(RULE_BYTES);
    private final Map<PolicyId, PolicyState> policies = new ConcurrentHashMap<>();
    private final PolicyCounters others;
    private volatile boolean hasOthers;

    /**
     * Creates the metrics of no policies.
     *
     * @param answers the names of all answers to eviction requests
     * @param clock measures for how long the longest violation is remembered
     */
    public PolicySeries(Collection<String> answers, Clock clock) {
        this.answers = List.copyOf(new TreeSet<>(answers));
        this.clock = clock;
        this.others = new PolicyCounters(SeriesLabels.ofOthers(), this.answers, clock);
    }

    private PolicyState of(PolicyId policy) {
        return policies.computeIfAbsent(policy, this::begin);
    }

    private PolicyState begin(PolicyId policy) {
        SeriesLabels labels = SeriesLabels.of(policy);
        if (policy.namespace().isEmpty()) {
            return new PolicyState(policy, new PolicyCounters(labels, answers, clock), ruleBudget, 0);
        }
        long bytes = labels.bytes(seriesOfPolicy(answers.size()));
        if (policyBudget.take(policy.namespace().get(), bytes)) {
            return new PolicyState(policy, new PolicyCounters(labels, answers, clock), ruleBudget, bytes);
        }
        hasOthers = true;
        return new PolicyState(policy, others, ruleBudget, 0);
    }

    /**
     * {@return the most series of a PlacementPolicy: its counters, the oldest violation, the modes, readiness, the
     * holds, and those of rules without series of their own}
     */
    static int seriesOfPolicy(int answers) {
        int ofRules = 1 + ViolationState.values().length;
        return PolicyCounters.series(answers) + 1 + Mode.values().length + 1 + REASONS + 1 + ofRules;
    }

    /** Counts a violation that began. */
    public void started(PolicyId policy, String rule) {
        of(policy).started(rule);
    }

    /** Counts a violation that ended after this time. */
    public void ended(PolicyId policy, Notification.End how, double seconds) {
        of(policy).counting().ended(how, seconds);
    }

    /** Counts an answer to an eviction request. */
    public void answered(PolicyId policy, String answer) {
        of(policy).counting().answered(answer);
    }

    /** Counts an eviction that did not help. */
    public void futile(PolicyId policy) {
        of(policy).counting().futile();
    }

    /** Stores the latest report on a policy, for the gauges. */
    public void report(PolicyReport report) {
        of(report.policy()).report(report);
    }

    /** Stores whether a policy is valid and evaluated. */
    public void ready(PolicyId policy, boolean isReady) {
        of(policy).ready(isReady);
    }

    /** Removes all series of a deleted policy. What the policy added to shared series stays there. */
    public void forget(PolicyId policy) {
        Optional.ofNullable(policies.remove(policy)).ifPresent(it -> {
            it.end();
            it.policy().namespace().ifPresent(namespace -> policyBudget.release(namespace, it.taken()));
        });
    }

    /** Removes the series of all policies that do not exist. */
    public void keepOnly(Predicate<PolicyId> exists) {
        policies.keySet().stream().filter(exists.negate()).forEach(this::forget);
    }

    /** Writes all series. */
    public void write(MetricsText text, Instant now) {
        List<PolicyState> all = policies.values().stream()
                .sorted(Comparator.comparing(PolicyState::policy))
                .toList();
        PolicyCounters.write(
                Stream.concat(
                                all.stream()
                                        .filter(it -> it.own() && it.isMeasured())
                                        .map(PolicyState::counters),
                                Stream.of(others).filter(_ -> hasOthers))
                        .toList(),
                text);
        PolicyGauges.write(all, text, now);
    }
}
