package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes the decisions of the engine to the operator's log: one line for each notification about a violation, and one
 * for each report about a breaker or backlog.
 */
public final class NotificationLog {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private final InstantSource clock;

    /** Creates a log; the clock measures the age of violations. */
    public NotificationLog(InstantSource clock) {
        this.clock = clock;
    }

    /** Writes one line for a notification. */
    public void log(Notification notification) {
        ViolationReport violation = notification.violation();
        BoundPod subject = notification.subject();
        Line line = describe(notification);
        LoggingEventBuilder entry = LOG.atLevel(line.level())
                .addKeyValue("decision", notification.getClass().getSimpleName())
                .addKeyValue("policy", violation.policy())
                .addKeyValue("rule", violation.rule())
                .addKeyValue("cause", violation.cause().label())
                .addKeyValue("k8s.namespace.name", subject.name().namespace())
                .addKeyValue("k8s.pod.name", subject.name().name())
                .addKeyValue("k8s.pod.uid", subject.uid())
                .addKeyValue("k8s.node.name", subject.node());
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

    /** Writes one line for a report about a breaker, a backlog or an acknowledgement. */
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
        };
        line.log(report.message());
    }

    private static LoggingEventBuilder line(UnknownAcknowledgement unknown) {
        LoggingEventBuilder line = LOG.atWarn().addKeyValue("decision", EventReason.ACKNOWLEDGEMENT_UNKNOWN.label());
        return unknown.policy()
                .map(policy -> line.addKeyValue("policy", policy))
                .orElse(line);
    }

    private static LoggingEventBuilder turned(String brake, BrakeReport.Change change) {
        return LOG.atLevel(change == BrakeReport.Change.OPENED ? Level.WARN : Level.INFO)
                .addKeyValue("decision", brake + participle(change));
    }

    private static String participle(BrakeReport.Change change) {
        return switch (change) {
            case OPENED -> "Opened";
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
            case Notification.Held(var _, var hold) -> Line.info(hold.reason().label(), hold.message());
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
