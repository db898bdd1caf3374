package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.report.TimeLine.Kind;
import dev.holdfast.operator.offline.simulate.Displaced;
import dev.holdfast.operator.offline.simulate.Happening;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Sorts what happened in a simulation by pods. */
final class TimeLineBuilder {
    private final Instant start;
    private final int mostLanes;
    private final Map<String, LaneBuilder> lanes = new LinkedHashMap<>();

    /** The violations that have begun and are not due so far. */
    private final Map<ViolationKey, ViolationReport> forgiven = new LinkedHashMap<>();

    TimeLineBuilder(Instant start, int mostLanes) {
        this.start = start;
        this.mostLanes = mostLanes;
    }

    /** {@return what happened so far} */
    static TimeLine of(Simulation simulation, int mostLanes) {
        return new TimeLineBuilder(simulation.start(), mostLanes)
                .timeLine(
                        simulation.elapsed(),
                        simulation.happenings(),
                        simulation.displaced(),
                        simulation.cluster()::pod);
    }

    /** @param pods finds a pod that is there at the end by its UID */
    TimeLine timeLine(
            Duration elapsed,
            List<Happening> happenings,
            List<Displaced> displaced,
            Function<String, Optional<Pod>> pods) {
        for (Happening happening : happenings) {
            if (happening instanceof Happening.Notified(Instant at, Notification notification)) {
                add(at, notification);
            }
        }
        addDue(start.plus(elapsed));
        displaced.forEach(pod -> add(pod, pods));
        return new TimeLine(
                lanes.values().stream()
                        .sorted(LaneBuilder.ORDER)
                        .limit(mostLanes)
                        .map(lane -> lane.lane(
                                at -> Math.max(0, Duration.between(start, at).toSeconds())))
                        .toList(),
                Math.max(0, lanes.size() - mostLanes),
                elapsed.toSeconds());
    }

    private void add(Instant at, Notification notification) {
        ViolationReport violation = notification.violation();
        switch (notification) {
            case Notification.Started _ -> {
                add(
                        at,
                        violation,
                        Kind.BEGINS,
                        rule(violation) + ": " + violation.violationDetail().describe());
                forgiven.put(violation.key(), violation);
            }
            case Notification.Ended(var _, Notification.End how) -> {
                addDue(violation, at);
                forgiven.remove(violation.key());
                if (how != Notification.End.EVICTED) {
                    add(at, violation, Kind.ENDS, rule(violation) + ": " + how.label());
                }
            }
            case Notification.Held(var _, var hold) -> {
                addDueBefore(violation, at);
                add(at, violation, Kind.HELD, hold.reason().label() + ": " + hold.advised());
            }
            case Notification.WouldEvict(var _, var target) -> {
                addDueBefore(violation, at);
                add(
                        at,
                        violation,
                        Kind.WOULD_EVICT,
                        "if " + violation.policy() + " enforced"
                                + target.map(node -> "; " + node + " would take it")
                                        .orElse(""));
            }
            case Notification.Answered(var _, String _, EvictionAnswer answer) -> {
                if (answer instanceof EvictionAnswer.Evicted) {
                    addDueBefore(violation, at);
                    lane(notification.subject()).add(at, Kind.EVICTED, "for " + rule(violation));
                }
            }
            case Notification.Moved moved ->
                lane(notification.subject())
                        .add(
                                at,
                                kind(moved.outcome()),
                                moved.outcome().label()
                                        + moved.toNode()
                                                .map(node -> ": to " + node)
                                                .orElse(""));
            case Notification.Evicting _, Notification.AnnotationIgnored _ -> {}
        }
    }

    private static Kind kind(Outcome outcome) {
        return switch (outcome) {
            case MOVED -> Kind.MOVED;
            case BROKEN_AGAIN, NOT_READY -> Kind.FUTILE;
            case GONE -> Kind.GONE;
        };
    }

    private static String rule(ViolationReport violation) {
        String policy = violation.policy().toString();
        return "rule " + violation.rule() + (policy.isEmpty() ? "" : " of " + policy);
    }

    private void addDue(Instant end) {
        List.copyOf(forgiven.values()).forEach(violation -> addDue(violation, end));
    }

    /** Adds that a violation became due, if that was at some instant at the latest. */
    private void addDue(ViolationReport violation, Instant latest) {
        if (!violation.deadline().isAfter(latest)) {
            addDueBefore(violation, latest);
        }
    }

    /** Adds that a violation was due when the operator acted on it. Of one in Audit, nothing becomes due. */
    private void addDueBefore(ViolationReport violation, Instant acted) {
        ViolationReport begun = forgiven.remove(violation.key());
        if (begun != null && violation.mode() == Mode.ENFORCE) {
            Instant due = violation.deadline().isBefore(acted) ? violation.deadline() : acted;
            lane(violation.owner()).addDue(due, rule(violation), violation.key());
        }
    }

    private void add(Instant at, ViolationReport violation, Kind kind, String text) {
        lane(violation.owner()).add(at, kind, text, violation.key());
    }

    private LaneBuilder lane(BoundPod pod) {
        return lanes.computeIfAbsent(pod.uid(), _ -> new LaneBuilder(pod));
    }

    private void add(Displaced displaced, Function<String, Optional<Pod>> pods) {
        Pod pod = displaced.pod();
        String replacement = displaced
                .replacementUid()
                .flatMap(pods)
                .map(it -> "by the change; " + it.name().name()
                        + it.nodeName()
                                .map(node -> " takes its place on " + node)
                                .orElse(" has no node at the end"))
                .orElse("by the change; no pod takes its place");
        lane(new BoundPod(pod.name(), pod.uid(), pod.nodeName().orElse(""), Optional.empty()))
                .addRemoved(displaced.at(), replacement);
    }
}
