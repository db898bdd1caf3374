package dev.holdfast.operator.publish;

import dev.holdfast.operator.publish.series.PolicySeries;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.PolicyId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Counts violations that start and end, evictions and moves. Each cause is there as 0 from the start: an alert on an
 * increase would miss the first one otherwise.
 */
final class ViolationCounters {
    private static final double[] DELAY_BUCKETS = {1, 5, 15, 60, 300, 1_800, 7_200, 43_200};
    private static final double[] READY_BUCKETS = {5, 15, 30, 60, 120, 300, 600};

    private final PolicySeries policies;
    private final InstantSource clock;
    private final Map<String, Counter> causes = new HashMap<>();
    private final DistributionSummary delay;
    private final DistributionSummary ready;

    ViolationCounters(MeterRegistry registry, PolicySeries policies, InstantSource clock) {
        this.policies = policies;
        this.clock = clock;
        Arrays.stream(Cause.class.getPermittedSubclasses())
                .filter(it -> it != Cause.Redacted.class)
                .map(Class::getSimpleName)
                .forEach(cause -> causes.put(
                        cause,
                        Counter.builder("holdfast_violation_causes")
                                .description("Violations that began, by what caused them.")
                                .tag("cause", cause)
                                .register(registry)));
        delay = DistributionSummary.builder("holdfast_eviction_delay_seconds")
                .description("Time from the end of forgiveness to the eviction request.")
                .serviceLevelObjectives(DELAY_BUCKETS)
                .register(registry);
        ready = DistributionSummary.builder("holdfast_replacement_ready_seconds")
                .description("Time from an eviction until its replacement is Ready.")
                .serviceLevelObjectives(READY_BUCKETS)
                .register(registry);
    }

    /** Counts what a notification says. */
    void count(Notification notification) {
        ViolationReport violation = notification.violation();
        PolicyId policy = violation.policy();
        switch (notification) {
            case Notification.Started _ -> {
                policies.started(policy, violation.rule());
                Objects.requireNonNull(causes.get(violation.cause().label()), "a counter")
                        .increment();
            }
            case Notification.Ended(var _, var how) -> policies.ended(policy, how, secondsSince(violation.since()));
            case Notification.Evicting _ -> delay.record(secondsSince(violation.deadline()));
            case Notification.Answered(var _, var _, EvictionAnswer answer) ->
                policies.answered(policy, EvictionAnswerLabel.label(answer));
            case Notification.Moved(var _, var _, Outcome outcome, var _, Instant evictedAt, var _) -> {
                if (outcome.futile()) {
                    policies.futile(policy);
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

    private double secondsSince(Instant instant) {
        return Math.max(0, Duration.between(instant, clock.instant()).toMillis() / 1_000.0);
    }
}
