package dev.holdfast.operator.offline.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.publish.EventMessage;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The parts of the messages that the operator writes into events. */
class EventPartsTest {
    private static final ViolationReport VIOLATION = Samples.violation();
    private static final Instant NOW = VIOLATION.deadline();
    private static final String POLICY = VIOLATION.policy().toString();
    private static final String RULE = VIOLATION.rule();
    private static final String NODE = VIOLATION.victim().node();

    private static Notification held(String words) {
        return new Notification.Held(VIOLATION, Hold.untilChange(Reason.EXCEPTION, words));
    }

    private static Notification moved(Outcome outcome, Optional<String> toNode) {
        return new Notification.Moved(VIOLATION, "plan", outcome, toNode, NOW, List.of());
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                argumentSet(
                        "a new violation",
                        new Notification.Started(VIOLATION),
                        new EventParts(POLICY, RULE, "", "", "")),
                argumentSet(
                        "a violation that healed",
                        new Notification.Ended(VIOLATION, Notification.End.HEALED),
                        new EventParts(POLICY, RULE, "", "", "")),
                argumentSet(
                        "what would be evicted in mode Enforce",
                        new Notification.WouldEvict(
                                Samples.violation(
                                        "web-1", Mode.AUDIT, new Cause.FoundAtStart(), VIOLATION.violationDetail()),
                                Optional.of("node-9")),
                        new EventParts(POLICY, RULE, NODE, "node-9", "")),
                argumentSet("a hold", held("the node is away"), new EventParts(POLICY, RULE, NODE, "", "Exception")),
                argumentSet(
                        "a hold with words of a user that look like a rule",
                        held("exception 'x': breaks; rule other (a) and then rule third"),
                        new EventParts(POLICY, RULE, NODE, "", "Exception")),
                argumentSet(
                        "a move",
                        moved(Outcome.MOVED, Optional.of("node-9")),
                        new EventParts(POLICY, RULE, NODE, "node-9", "Moved")),
                argumentSet(
                        "a move that did not help, because nothing runs",
                        moved(Outcome.NOT_READY, Optional.empty()),
                        new EventParts(POLICY, RULE, NODE, "", "Futile")),
                argumentSet(
                        "a move after which the rule is broken again",
                        moved(Outcome.BROKEN_AGAIN, Optional.of("node-9")),
                        new EventParts(POLICY, RULE, NODE, "node-9", "Futile")),
                argumentSet(
                        "a pod that was not replaced",
                        moved(Outcome.GONE, Optional.empty()),
                        new EventParts(POLICY, RULE, NODE, "", "Gone")),
                argumentSet(
                        "an annotation that is ignored",
                        new Notification.AnnotationIgnored(VIOLATION, "it is too long"),
                        new EventParts("", "", "", "", "")));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageIsReadAsItIsWritten(Notification notification, EventParts parts) {
        String message = EventMessage.of(notification, Optional.empty(), NOW)
                .orElseThrow()
                .message();

        assertThat(EventParts.of(message)).as(message).isEqualTo(parts);
    }
}
