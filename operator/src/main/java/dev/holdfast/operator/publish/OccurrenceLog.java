package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.AcknowledgementUnknown;
import dev.holdfast.policies.engine.BacklogReport;
import dev.holdfast.policies.engine.BoundPod;
import dev.holdfast.policies.engine.BrakeReport;
import dev.holdfast.policies.engine.BreakerReport;
import dev.holdfast.policies.engine.Occurrence;
import dev.holdfast.policies.engine.ViolationReport;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.EvictionAnswer;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** The operator's log of what happens: one line for each change of a violation's state, with the same keys always. */
public final class OccurrenceLog {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private final InstantSource clock;

    /** A log whose sentences speak as of the clock's time. */
    public OccurrenceLog(InstantSource clock) {
        this.clock = clock;
    }

    /** Writes one line. */
    public void tell(Occurrence occurrence) {
        ViolationReport violation = occurrence.violation();
        BoundPod subject = Events.subject(occurrence);
        LoggingEventBuilder line = LOG.atLevel(level(occurrence))
                .addKeyValue("decision", decision(occurrence))
                .addKeyValue("policy", violation.policy())
                .addKeyValue("rule", violation.rule())
                .addKeyValue("cause", violation.cause().label())
                .addKeyValue("k8s.namespace.name", subject.name().namespace())
                .addKeyValue("k8s.pod.name", subject.name().name())
                .addKeyValue("k8s.pod.uid", subject.uid())
                .addKeyValue("k8s.node.name", subject.node());
        more(occurrence, line).log(words(occurrence));
    }

    /** Writes one line about a brake. */
    public void tell(BrakeReport report) {
        LoggingEventBuilder line = switch (report) {
            case BreakerReport breaker ->
                turned("Breaker", breaker.turn())
                        .addKeyValue("reason", breaker.reason().label())
                        .addKeyValue("breaker", breaker.id());
            case BacklogReport backlog ->
                turned("Backlog", backlog.turn())
                        .addKeyValue("policy", backlog.policy())
                        .addKeyValue("reason", Reason.POLICY_BACKLOG.label())
                        .addKeyValue("backlog", backlog.id());
            case AcknowledgementUnknown unknown -> line(unknown);
        };
        line.log(report.message());
    }

    private static LoggingEventBuilder line(AcknowledgementUnknown unknown) {
        LoggingEventBuilder line =
                LOG.atWarn().addKeyValue("decision", unknown.getClass().getSimpleName());
        return unknown.policy()
                .map(policy -> line.addKeyValue("policy", policy))
                .orElse(line);
    }

    private static LoggingEventBuilder turned(String brake, BrakeReport.Turn turn) {
        return LOG.atLevel(turn == BrakeReport.Turn.OPENED ? Level.WARN : Level.INFO)
                .addKeyValue("decision", brake + participle(turn));
    }

    private static String participle(BrakeReport.Turn turn) {
        return switch (turn) {
            case OPENED -> "Opened";
            case HEALED -> "Closed";
            case ACKNOWLEDGED -> "Acknowledged";
        };
    }

    /** What was broken at the start may be thousands, and is told together elsewhere. */
    private static Level level(Occurrence occurrence) {
        return switch (occurrence) {
            case Occurrence.Started(var violation) ->
                violation.cause() instanceof Cause.FoundAtStart ? Level.DEBUG : Level.INFO;
            case Occurrence.Answered(var _, var _, var answer) ->
                answer instanceof EvictionAnswer.Evicted ? Level.INFO : Level.WARN;
            case Occurrence.AnnotationIgnored _ -> Level.WARN;
            case Occurrence.Ended _,
                    Occurrence.Held _,
                    Occurrence.WouldEvict _,
                    Occurrence.Evicting _,
                    Occurrence.Moved _ -> Level.INFO;
        };
    }

    private static String decision(Occurrence occurrence) {
        return occurrence.getClass().getSimpleName();
    }

    private static LoggingEventBuilder more(Occurrence occurrence, LoggingEventBuilder line) {
        return switch (occurrence) {
            case Occurrence.Started _, Occurrence.WouldEvict _, Occurrence.AnnotationIgnored _ -> line;
            case Occurrence.Ended(var _, var how) -> line.addKeyValue("reason", how.label());
            case Occurrence.Held(var _, var hold) ->
                line.addKeyValue("reason", hold.reason().label());
            case Occurrence.Evicting(var _, String plan, var _) -> line.addKeyValue("plan", plan);
            case Occurrence.Answered(var _, String plan, var answer) ->
                line.addKeyValue("plan", plan).addKeyValue("reason", AnswerText.label(answer));
            case Occurrence.Moved moved ->
                line.addKeyValue("plan", moved.planId())
                        .addKeyValue("reason", moved.outcome().label());
        };
    }

    private String words(Occurrence occurrence) {
        return Sentence.of(occurrence, clock.instant()).map(Sentence::message).orElseGet(() -> switch (occurrence) {
            case Occurrence.Ended(var violation, var how) ->
                "Rule " + violation.rule() + " is watched no more: " + how.label();
            case Occurrence.Answered(var _, var _, var answer) ->
                "The eviction was answered " + AnswerText.label(answer) + ": " + AnswerText.message(answer);
            case Occurrence.AnnotationIgnored(var _, String problem) -> problem;
            case Occurrence.Held(var _, var hold) -> hold.message();
            case Occurrence.Started _, Occurrence.WouldEvict _, Occurrence.Evicting _, Occurrence.Moved _ ->
                occurrence.getClass().getSimpleName();
        });
    }
}
