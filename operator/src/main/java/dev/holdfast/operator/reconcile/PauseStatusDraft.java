package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.status.PauseStatus;
import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.operator.reconcile.status.ConditionContent;
import dev.holdfast.operator.reconcile.status.ConditionReason;
import dev.holdfast.operator.reconcile.status.ConditionType;
import dev.holdfast.operator.reconcile.status.StatusDraft;
import dev.holdfast.operator.translate.PauseReading;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.WallClock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Builds the status of an EnforcementPause as of an instant. */
final class PauseStatusDraft {
    private final EnforcementPause written;
    private final WallClock wallClock;
    private final Instant now;

    private PauseStatusDraft(EnforcementPause written, WallClock wallClock, Instant now) {
        this.written = written;
        this.wallClock = wallClock;
        this.now = now;
    }

    /**
     * {@return the status of a pause; a condition that stays True or False keeps its {@code lastTransitionTime}}
     *
     * @param now the time by the engine's clock
     */
    static PauseStatus of(EnforcementPause written, PauseReading reading, WallClock wallClock, Instant now) {
        return new PauseStatusDraft(written, wallClock, wallClock.wallTime(now)).status(reading);
    }

    private PauseStatus status(PauseReading reading) {
        Pause pause = reading.pause();
        if (!reading.problems().isEmpty()) {
            return status(
                    condition(
                            ConditionType.READY, ConditionContent.FALSE, ConditionReason.INVALID_SPEC, pause.reason()),
                    condition(
                            ConditionType.ACTIVE, ConditionContent.TRUE, ConditionReason.INVALID_SPEC, pause.reason()),
                    Optional.empty());
        }
        PolicyCondition ready = condition(
                ConditionType.READY,
                ConditionContent.TRUE,
                ConditionReason.HONOURED,
                "checked before every eviction request");
        Optional<String> counted = pause.countsAsActive(wallClock);
        if (counted.isPresent()) {
            return status(
                    ready, active(ConditionContent.TRUE, ConditionReason.ACTIVE, counted.get()), Optional.empty());
        }
        String whose = pause.namespaces().isEmpty() ? "any namespace" : "the namespaces it selects";
        return switch (pause.at(now)) {
            case Pause.State.Active(Optional<Instant> until) ->
                status(
                        ready,
                        active(
                                ConditionContent.TRUE,
                                ConditionReason.ACTIVE,
                                "no pod in " + whose + " is evicted until "
                                        + until.map(Instant::toString).orElse("it is deleted")),
                        until);
            case Pause.State.Unbroken(Instant seen) ->
                status(
                        ready,
                        active(
                                ConditionContent.TRUE,
                                ConditionReason.ACTIVE,
                                "no pod in " + whose + " is evicted until at least " + seen + ": its windows leave"
                                        + " no gap before then"),
                        Optional.empty());
            case Pause.State.Expired(Instant at) ->
                status(
                        ready,
                        active(
                                ConditionContent.FALSE,
                                ConditionReason.EXPIRED,
                                "it expired at " + at + " and no longer has an effect; it can be deleted"),
                        Optional.of(at));
            case Pause.State.OutsideWindow(Optional<Instant> next) ->
                status(
                        ready,
                        active(
                                ConditionContent.FALSE,
                                ConditionReason.OUTSIDE_WINDOW,
                                "none of its windows is open"
                                        + next.map(it -> "; the next one opens at " + it)
                                                .orElse("")),
                        Optional.empty());
        };
    }

    private PauseStatus status(PolicyCondition ready, PolicyCondition active, Optional<Instant> until) {
        return new PauseStatus(
                written.getMetadata().getGeneration(),
                List.of(ready, active),
                until.map(PauseStatusDraft::second).orElse(null));
    }

    private PolicyCondition active(String status, ConditionReason reason, String message) {
        return condition(ConditionType.ACTIVE, status, reason, message);
    }

    private PolicyCondition condition(ConditionType type, String status, ConditionReason reason, String message) {
        Instant since = Optional.ofNullable(written.getStatus()).stream()
                .flatMap(before -> before.conditions().stream())
                .filter(it -> it.type().equals(type.label()) && it.status().equals(status))
                .map(PolicyCondition::lastTransitionTime)
                .findFirst()
                .orElseGet(() -> second(now));
        return new PolicyCondition(
                type.label(),
                status,
                reason.label(),
                StatusDraft.conditionMessage(message),
                since,
                written.getMetadata().getGeneration());
    }

    private static Instant second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }
}
