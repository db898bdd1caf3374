package dev.holdfast.operator.publish;

import dev.holdfast.operator.publish.rate.NamespaceRateLimiter;
import dev.holdfast.operator.publish.rate.PolicyRateLimiter;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.DynamicLabel;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes the decisions of the engine to the operator's log: one line for each notification about a violation, and one
 * for each report about a breaker or backlog. Lines over the rate limit of a policy have the level debug. There is no
 * limit for lines about evictions, breakers and backlogs. The engine's thread writes; other threads may call
 * {@link #forget} and {@link #sumUp}.
 */
public final class NotificationLog {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private static final int AT_ONCE = 100;
    private static final Duration ONE_MORE_EACH = Duration.ofSeconds(1);
    private static final int ACKNOWLEDGEMENTS_AT_ONCE = 10;
    private static final Duration ONE_MORE_ACKNOWLEDGEMENT_EACH = Duration.ofMinutes(1);

    private final BooleanSupplier leads;
    private final InstantSource clock;
    private final PolicyRateLimiter rateLimiter = new PolicyRateLimiter(AT_ONCE, ONE_MORE_EACH);
    private final PolicyRateLimiter acknowledgements =
            new PolicyRateLimiter(ACKNOWLEDGEMENTS_AT_ONCE, ONE_MORE_ACKNOWLEDGEMENT_EACH);
    private final NamespaceRateLimiter tooComplex;
    private final NamespaceRateLimiter invalidRules;

    /**
     * Creates a log; the clock measures the age of violations.
     *
     * @param leads whether this replica leads; lines about pods of one that does not have the key {@code standby},
     *     because the leader writes the same
     */
    public NotificationLog(BooleanSupplier leads, InstantSource clock) {
        this.leads = leads;
        this.clock = clock;
        this.tooComplex = new NamespaceRateLimiter(AT_ONCE, ONE_MORE_EACH, clock.instant());
        this.invalidRules = new NamespaceRateLimiter(AT_ONCE, ONE_MORE_EACH, clock.instant());
    }

    /** Writes one line for a notification. */
    public void log(Notification notification) {
        ViolationReport violation = notification.violation();
        BoundPod subject = notification.subject();
        Line line = describe(notification);
        LoggingEventBuilder entry = LOG.atLevel(rationed(notification, line.level()))
                .addKeyValue("decision", notification.getClass().getSimpleName())
                .addKeyValue("policy", violation.policy())
                .addKeyValue("rule", violation.rule())
                .addKeyValue("cause", violation.cause().label())
                .addKeyValue("k8s.namespace.name", subject.name().namespace())
                .addKeyValue("k8s.pod.name", subject.name().name())
                .addKeyValue("k8s.pod.uid", subject.uid())
                .addKeyValue("k8s.node.name", subject.node());
        entry = marked(entry);
        if (notification instanceof Notification.OfEviction eviction) {
            entry = entry.addKeyValue("plan", eviction.planId());
        }
        if (line.reason().isPresent()) {
            entry = entry.addKeyValue("reason", line.reason().get());
        }
        entry.log(EventMessage.of(notification, Optional.empty(), clock.instant())
                .map(EventMessage::message)
                .orElse(line.words()));
    }

    private LoggingEventBuilder marked(LoggingEventBuilder line) {
        return leads.getAsBoolean() ? line : line.addKeyValue("standby", true);
    }

    /** {@return the level of the line; debug if the policy has used up its rate limit} */
    private Level rationed(Notification notification, Level level) {
        if (level == Level.DEBUG || notification instanceof Notification.OfEviction) {
            return level;
        }
        return allowed(rateLimiter, notification.violation().policy()) ? level : Level.DEBUG;
    }

    private boolean allowed(PolicyRateLimiter limiter, PolicyId policy) {
        synchronized (rateLimiter) {
            return limiter.take(policy, 1, clock.instant());
        }
    }

    /**
     * Writes the lines that count what was left out, at most one per policy, limit and minute. A timer must call this:
     * after the end of a flood, no other line may follow.
     */
    public void sumUp() {
        Instant now = clock.instant();
        List<PolicyRateLimiter.Summary> due = new ArrayList<>();
        synchronized (rateLimiter) {
            due.addAll(rateLimiter.summaries(now));
            due.addAll(acknowledgements.summaries(now));
        }
        due.forEach(NotificationLog::log);
    }

    private static void log(PolicyRateLimiter.Summary summary) {
        LOG.atWarn()
                .addKeyValue("decision", "LinesLeftOut")
                .addKeyValue("policy", summary.policy())
                .addKeyValue("lines", summary.count())
                .log("Lines of this policy were left out because of the rate limit; the log level debug shows them");
    }

    /** Drops the state of the rate limit of a deleted policy. */
    public void forget(PolicyId policy) {
        synchronized (rateLimiter) {
            rateLimiter.forget(policy);
            acknowledgements.forget(policy);
        }
    }

    /** Writes one line for a pod that is too complex; at level debug if there were many of them in its namespace. */
    public void log(Effect.FoundTooComplex found) {
        marked(LOG.atLevel(tooComplex.take(found.pod().namespace(), clock.instant()) ? Level.WARN : Level.DEBUG))
                .addKeyValue("decision", EventReason.POD_TOO_COMPLEX.label())
                .addKeyValue("k8s.namespace.name", found.pod().namespace())
                .addKeyValue("k8s.pod.name", found.pod().name())
                .addKeyValue("k8s.pod.uid", found.uid())
                .log(found.message());
    }

    /**
     * Writes one line for a pod with invalid rules in its annotation; at level debug if there were many of them in its
     * namespace.
     */
    public void log(Effect.FoundInvalidRules found) {
        marked(LOG.atLevel(invalidRules.take(found.pod().namespace(), clock.instant()) ? Level.WARN : Level.DEBUG))
                .addKeyValue("decision", "AnnotationIgnored")
                .addKeyValue("k8s.namespace.name", found.pod().namespace())
                .addKeyValue("k8s.pod.name", found.pod().name())
                .addKeyValue("k8s.pod.uid", found.uid())
                .log(found.message());
    }

    /** Writes one line for a report about a breaker, a backlog, a label or an acknowledgement. */
    public void log(BrakeReport report) {
        LoggingEventBuilder line = switch (report) {
            case BreakerReport breaker ->
                turned("Breaker", breaker.change())
                        .addKeyValue("reason", breaker.reason().label())
                        .addKeyValue("breaker", breaker.id());
            case BacklogReport backlog ->
                turned("Backlog", backlog.change())
                        .addKeyValue("policy", backlog.policy())
                        .addKeyValue("reason", Reason.POLICY_BACKLOG.label())
                        .addKeyValue("backlog", backlog.id());
            case UnknownAcknowledgement unknown -> line(unknown);
            case DynamicLabel _ -> LOG.atWarn().addKeyValue("decision", EventReason.DYNAMIC_LABEL.label());
        };
        line.log(report.message());
    }

    /** {@return the line about an unknown id; at level debug over the limit, as tenants can change ids at will} */
    private LoggingEventBuilder line(UnknownAcknowledgement unknown) {
        Level level = unknown.policy()
                        .filter(policy -> !allowed(acknowledgements, policy))
                        .isPresent()
                ? Level.DEBUG
                : Level.WARN;
        LoggingEventBuilder line =
                LOG.atLevel(level).addKeyValue("decision", EventReason.ACKNOWLEDGEMENT_UNKNOWN.label());
        return unknown.policy()
                .map(policy -> line.addKeyValue("policy", policy))
                .orElse(line);
    }

    private static LoggingEventBuilder turned(String brake, BrakeReport.Change change) {
        return LOG.atLevel(isOn(change) ? Level.WARN : Level.INFO).addKeyValue("decision", brake + participle(change));
    }

    private static boolean isOn(BrakeReport.Change change) {
        return switch (change) {
            case OPENED, TAKEN_OVER -> true;
            case HEALED, ACKNOWLEDGED -> false;
        };
    }

    private static String participle(BrakeReport.Change change) {
        return switch (change) {
            case OPENED -> "Opened";
            case TAKEN_OVER -> "TakenOver";
            case HEALED -> "Closed";
            case ACKNOWLEDGED -> "Acknowledged";
        };
    }

    /**
     * The parts of a log line that depend on the kind of notification.
     *
     * @param reason the value of the key {@code reason}; the line has no such key if this is empty
     * @param words the message of the line; not used if the notification has a Kubernetes event, whose message is
     *     logged instead
     */
    private record Line(Level level, Optional<String> reason, String words) {
        static Line info(String reason, String words) {
            return new Line(Level.INFO, Optional.of(reason), words);
        }
    }

    private static Line describe(Notification notification) {
        String name = notification.getClass().getSimpleName();
        return switch (notification) {
            // At the start there may be thousands of violations; Kubernetes events summarize them.
            case Notification.Started(var violation) ->
                new Line(
                        violation.cause() instanceof Cause.FoundAtStart ? Level.DEBUG : Level.INFO,
                        Optional.empty(),
                        name);
            case Notification.AnnotationIgnored(var _, String problem) ->
                new Line(Level.WARN, Optional.empty(), problem);
            case Notification.Ended(var violation, var how) ->
                Line.info(how.label(), "Violation of rule " + violation.rule() + " ended: " + how.label());
            case Notification.Held(var _, var hold) -> Line.info(hold.reason().label(), hold.advised());
            case Notification.WouldEvict _, Notification.Evicting _ -> new Line(Level.INFO, Optional.empty(), name);
            case Notification.Answered(var _, var _, var answer) ->
                new Line(
                        answer instanceof EvictionAnswer.Evicted ? Level.INFO : Level.WARN,
                        Optional.of(EvictionAnswerLabel.label(answer)),
                        "Eviction result " + EvictionAnswerLabel.label(answer) + ": " + answer.message());
            case Notification.Moved moved -> Line.info(moved.outcome().label(), name);
        };
    }
}
