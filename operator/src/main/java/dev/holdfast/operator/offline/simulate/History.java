package dev.holdfast.operator.offline.simulate;

import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The occurrences in a part of a simulation, sorted by subject. */
public final class History {
    /** A violation that began or ended. */
    public record Turn(Instant at, ViolationReport violation) {}

    /**
     * An eviction that the API server granted.
     *
     * @param move how the move ended; empty if the move has not ended
     */
    public record Eviction(Instant at, ViolationReport violation, Optional<Notification.Moved> move) {}

    /**
     * An eviction that the operator would request if the policy enforced.
     *
     * @param toNode a node that would take the replacement; empty if there is none
     */
    public record Audited(Instant at, ViolationReport violation, Optional<String> toNode) {}

    /** The hold of a violation. */
    public record Held(ViolationReport violation, Hold hold) {}

    /** A breaker or backlog that opened or closed. */
    public record Brake(Instant at, BrakeReport report) {}

    private final Map<ViolationKey, ViolationReport> running = new TreeMap<>();
    private final Map<ViolationKey, Turn> started = new LinkedHashMap<>();
    private final Map<ViolationKey, Turn> ended = new LinkedHashMap<>();
    private final Map<String, Eviction> requested = new LinkedHashMap<>();
    private final Map<String, Eviction> evictions = new LinkedHashMap<>();
    private final Map<ViolationKey, Audited> audited = new LinkedHashMap<>();
    private final Map<ViolationKey, Held> held = new TreeMap<>();
    private final List<Brake> brakes = new ArrayList<>();

    private History() {}

    /** {@return what happened, sorted by subject} */
    public static History of(List<Happening> happenings) {
        History history = new History();
        happenings.forEach(history::add);
        return history;
    }

    private void add(Happening happening) {
        switch (happening) {
            case Happening.Notified(Instant at, Notification notification) -> add(at, notification);
            case Happening.Braked(Instant at, BrakeReport report) -> brakes.add(new Brake(at, report));
        }
    }

    private void add(Instant at, Notification notification) {
        ViolationReport violation = notification.violation();
        switch (notification) {
            case Notification.Started _ -> started(at, violation);
            case Notification.Ended(var _, Notification.End how) -> ended(at, violation, how);
            case Notification.Held(var _, Hold hold) -> {
                audited.remove(violation.key());
                held.put(violation.key(), new Held(violation, hold));
            }
            case Notification.Evicting(var _, String plan, var _) ->
                requested.put(plan, new Eviction(at, violation, Optional.empty()));
            case Notification.Answered(var _, String plan, EvictionAnswer answer) -> {
                Eviction eviction = requested.remove(plan);
                if (eviction != null && answer instanceof EvictionAnswer.Evicted) {
                    evictions.put(plan, eviction);
                }
            }
            case Notification.Moved moved ->
                evictions.computeIfPresent(
                        moved.planId(),
                        (_, eviction) -> new Eviction(eviction.at(), eviction.violation(), Optional.of(moved)));
            case Notification.WouldEvict(var _, Optional<String> toNode) -> {
                held.remove(violation.key());
                audited.put(violation.key(), new Audited(at, violation, toNode));
            }
            case Notification.AnnotationIgnored _ -> {}
        }
    }

    /** Records a start. A violation that ends and begins again at one instant goes on: changes were made in turn. */
    private void started(Instant at, ViolationReport violation) {
        running.put(violation.key(), violation);
        if (!isAt(at, ended.get(violation.key()))) {
            started.putIfAbsent(violation.key(), new Turn(at, violation));
        }
        ended.remove(violation.key());
    }

    /** Records an end. A violation that began at the same instant is left out: it existed only between two changes. */
    private void ended(Instant at, ViolationReport violation, Notification.End how) {
        running.remove(violation.key());
        held.remove(violation.key());
        audited.remove(violation.key());
        if (isAt(at, started.get(violation.key()))) {
            started.remove(violation.key());
        } else if (how != Notification.End.EVICTED) {
            ended.put(violation.key(), new Turn(at, violation));
        }
    }

    private static boolean isAt(Instant at, @Nullable Turn turn) {
        return turn != null && turn.at().equals(at);
    }

    /** {@return the violations that began and have not ended} */
    public List<ViolationReport> running() {
        return List.copyOf(running.values());
    }

    /** {@return the violations that began, in the order of time} */
    public Map<ViolationKey, Turn> started() {
        return started;
    }

    /** {@return the violations that ended without an eviction of the operator, in the order of time} */
    public Map<ViolationKey, Turn> ended() {
        return ended;
    }

    /** {@return the evictions, in the order of time} */
    public List<Eviction> evictions() {
        return List.copyOf(evictions.values());
    }

    /** {@return the evictions that policies in Audit would request at the end, in the order of time} */
    public List<Audited> audited() {
        return audited.values().stream()
                .sorted(Comparator.comparing(Audited::at))
                .toList();
    }

    /** {@return the violations that are held at the end} */
    public List<Held> held() {
        return List.copyOf(held.values());
    }

    /** {@return the breakers and backlogs that opened or closed, in the order of time} */
    public List<Brake> brakes() {
        return List.copyOf(brakes);
    }
}
