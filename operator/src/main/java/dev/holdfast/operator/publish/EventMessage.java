package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.time.Instant;
import java.util.Optional;

/**
 * The reason and message of the Kubernetes event for a notification.
 *
 * @param reason the {@code reason} of the event
 * @param message a sentence that does not name the pod that the event is about
 */
public record EventMessage(EventReason reason, String message) {
    /**
     * {@return the reason and message for a notification; empty if the notification gets no Kubernetes event}
     *
     * @param namespace the namespace whose readers see the event; absent if only readers of cluster policies see it
     */
    public static Optional<EventMessage> of(Notification notification, Optional<String> namespace, Instant now) {
        ViolationReport violation = notification.violation();
        Wording words = new Wording(violation, namespace, now);
        return switch (notification) {
            case Notification.Started _ -> say(EventReason.PLACEMENT_VIOLATED, words.violated());
            case Notification.AnnotationIgnored(var _, String problem) ->
                say(EventReason.PLACEMENT_ANNOTATION_IGNORED, "Annotation ignored: " + problem + ".");
            case Notification.Ended(var _, End how) ->
                how == End.HEALED ? say(EventReason.PLACEMENT_HEALED, words.healed()) : Optional.empty();
            // A standby holds every violation as NotLeader; the leader writes the events about these violations.
            case Notification.Held(var _, var hold) ->
                hold.reason() == Reason.NOT_LEADER
                        ? Optional.empty()
                        : say(
                                EventReason.PLACEMENT_EVICTION_BLOCKED,
                                words.held(namespace.isPresent() ? hold.toTenants(violation.policy()) : hold));
            case Notification.WouldEvict(var _, var target) ->
                say(EventReason.PLACEMENT_WOULD_EVICT, words.wouldEvict(target));
            case Notification.Evicting(var _, var _, var target) ->
                say(EventReason.PLACEMENT_EVICTING, words.evicting(target));
            // Every other answer leads to a hold, which has its own event.
            case Notification.Answered(var _, var _, EvictionAnswer answer) ->
                answer instanceof EvictionAnswer.Evicted
                        ? say(EventReason.PLACEMENT_EVICTED, words.evicted())
                        : Optional.empty();
            case Notification.Moved moved -> moved(moved, words);
        };
    }

    private static Optional<EventMessage> moved(Notification.Moved moved, Wording words) {
        return switch (moved.outcome()) {
            case MOVED -> say(EventReason.PLACEMENT_MOVED, words.moved(moved.toNode(), moved.evictedAt()));
            case BROKEN_AGAIN -> say(EventReason.PLACEMENT_EVICTION_FUTILE, words.brokenAgain(moved));
            case NOT_READY ->
                say(EventReason.PLACEMENT_EVICTION_FUTILE, words.notReady(moved.toNode(), moved.evictedAt()));
            case GONE -> say(EventReason.PLACEMENT_NOT_REPLACED, words.notReplaced());
        };
    }

    private static Optional<EventMessage> say(EventReason reason, String message) {
        return Optional.of(new EventMessage(reason, message));
    }
}
