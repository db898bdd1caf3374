package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.PolicyId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Counts violations that start and end, evictions and moves. Each series of a policy is there as 0 as soon as the engine
 * reports on the policy: an alert on an increase would miss the first one otherwise.
 */
final class ViolationCounters {
    static final String POLICY = "policy";
    static final String POLICY_NAMESPACE = "policy_namespace";
    private static final String RULE = "rule";

    private static final double[] DURATION_BUCKETS = {10, 60, 300, 600, 1_800, 3_600, 21_600, 86_400};
    private static final double[] DELAY_BUCKETS = {1, 5, 15, 60, 300, 1_800, 7_200, 43_200};
    private static final double[] READY_BUCKETS = {5, 15, 30, 60, 120, 300, 600};

    private static final List<String> CAUSES = Arrays.stream(Cause.class.getPermittedSubclasses())
            .filter(it -> it != Cause.Redacted.class)
            .map(Class::getSimpleName)
            .toList();

    private final MeterRegistry registry;
    private final InstantSource clock;
    private final DistributionSummary delay;
    private final DistributionSummary ready;

    ViolationCounters(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
        CAUSES.forEach(this::cause);
        delay = DistributionSummary.builder("holdfast_eviction_delay_seconds")
                .description("Time from the end of forgiveness to the eviction request.")
                .serviceLevelObjectives(DELAY_BUCKETS)
                .register(registry);
        ready = DistributionSummary.builder("holdfast_replacement_ready_seconds")
                .description("Time from an eviction until its replacement is Ready.")
                .serviceLevelObjectives(READY_BUCKETS)
                .register(registry);
    }

    /** Creates the series of a policy that are missing, and removes those of rules that it no longer has. */
    void update(PolicyReport report) {
        PolicyId policy = report.policy();
        futile(policy);
        duration(policy);
        EvictionAnswerLabel.ALL.forEach(outcome -> evictions(policy, outcome));
        report.rules().forEach(rule -> {
            started(policy, rule);
            for (Notification.End end : Notification.End.values()) {
                ended(policy, rule, end);
            }
        });
        Set<String> rules = report.rules();
        List<Meter> gone = registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("holdfast_violations_"))
                .filter(meter -> policy.toString().equals(meter.getId().getTag(POLICY)))
                .filter(meter -> !rules.contains(meter.getId().getTag(RULE)))
                .toList();
        gone.forEach(registry::remove);
    }

    /** Counts what a notification says. */
    void count(Notification notification) {
        ViolationReport violation = notification.violation();
        PolicyId policy = violation.policy();
        switch (notification) {
            case Notification.Started _ -> {
                started(policy, violation.rule()).increment();
                cause(violation.cause().label()).increment();
            }
            case Notification.Ended(var _, var how) -> {
                ended(policy, violation.rule(), how).increment();
                duration(policy).record(secondsSince(violation.since()));
            }
            case Notification.Evicting _ -> delay.record(secondsSince(violation.deadline()));
            case Notification.Answered(var _, var _, EvictionAnswer answer) ->
                evictions(policy, EvictionAnswerLabel.label(answer)).increment();
            case Notification.Moved(var _, var _, Outcome outcome, var _, Instant evictedAt) -> {
                if (outcome.futile()) {
                    futile(policy).increment();
                }
                if (outcome == Outcome.MOVED) {
                    ready.record(secondsSince(evictedAt));
                }
            }
            case Notification.AnnotationIgnored _, Notification.Held _, Notification.WouldEvict _ -> {
                // The policy reports contain these counts.
            }
        }
    }

    private Counter started(PolicyId policy, String rule) {
        return counter(
                "holdfast_violations_started",
                "Violations that began.",
                of(policy).and(RULE, rule));
    }

    private Counter ended(PolicyId policy, String rule, Notification.End how) {
        return counter(
                "holdfast_violations_ended",
                "Violations that ended, by how they ended.",
                of(policy).and(RULE, rule, "how", how.label()));
    }

    private Counter cause(String cause) {
        return counter(
                "holdfast_violation_causes", "Violations that began, by what caused them.", Tags.of("cause", cause));
    }

    private Counter evictions(PolicyId policy, String outcome) {
        return counter(
                "holdfast_evictions",
                "Answers to eviction requests; a refused dry run counts as the answer.",
                of(policy).and(POLICY_NAMESPACE, policy.namespace().orElse(""), "outcome", outcome));
    }

    private Counter futile(PolicyId policy) {
        return counter("holdfast_evictions_futile", "Evictions that did not help.", of(policy));
    }

    private Counter counter(String name, String description, Tags tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private DistributionSummary duration(PolicyId policy) {
        return DistributionSummary.builder("holdfast_violation_duration_seconds")
                .description("Duration of violations, observed when they end.")
                .serviceLevelObjectives(DURATION_BUCKETS)
                .tags(of(policy))
                .register(registry);
    }

    private static Tags of(PolicyId policy) {
        return Tags.of(POLICY, policy.toString());
    }

    private double secondsSince(Instant instant) {
        return Math.max(0, Duration.between(instant, clock.instant()).toMillis() / 1_000.0);
    }
}
