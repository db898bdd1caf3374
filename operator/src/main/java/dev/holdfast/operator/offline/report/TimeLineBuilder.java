package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.report.TimeLine.Kind;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.TimeLine.Moment;
import dev.holdfast.operator.offline.simulate.Displaced;
import dev.holdfast.operator.offline.simulate.Happening;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sorts what happened in a simulation by pods. */
final class TimeLineBuilder {
    private final Simulation simulation;
    private final Map<String, Subject> subjects = new LinkedHashMap<>();
    private final Map<ViolationKey, ViolationReport> forgiven = new LinkedHashMap<>();

    /** A pod, and what has happened to it so far. */
    private record Subject(String namespace, String pod, String uid, String node, List<Moment> moments) {
        Lane lane() {
            return new Lane(
                    namespace,
                    pod,
                    uid,
                    node,
                    moments.stream()
                            .sorted(Comparator.comparingLong(Moment::seconds).thenComparing(Moment::kind))
                            .toList());
        }
    }

    private TimeLineBuilder(Simulation simulation) {
        this.simulation = simulation;
    }

    /** {@return what happened so far} */
    static TimeLine of(Simulation simulation) {
        TimeLineBuilder builder = new TimeLineBuilder(simulation);
        for (Happening happening : simulation.happenings()) {
            if (happening instanceof Happening.Notified(Instant at, Notification notification)) {
                builder.add(at, notification);
            }
        }
        builder.addDue(simulation.start().plus(simulation.elapsed()));
        simulation.displaced().forEach(builder::add);
        return new TimeLine(
                builder.subjects.values().stream()
                        .map(Subject::lane)
                        .filter(lane -> !lane.moments().isEmpty())
                        .sorted(Lane.ORDER)
                        .toList(),
                simulation.elapsed().toSeconds());
    }

    private void add(Instant at, Notification notification) {
        ViolationReport violation = notification.violation();
        BoundPod subject = notification.subject();
        switch (notification) {
            case Notification.Started _ -> {
                add(
                        at,
                        subject,
                        Kind.BEGINS,
                        rule(violation) + ": " + violation.violationDetail().describe());
                forgiven.put(violation.key(), violation);
            }
            case Notification.Ended(var _, Notification.End how) -> {
                ViolationReport started = forgiven.remove(violation.key());
                if (started != null && !started.deadline().isAfter(at)) {
                    addDue(started);
                }
                if (how != Notification.End.EVICTED) {
                    add(at, subject, Kind.ENDS, rule(violation) + ": " + how.label());
                }
            }
            case Notification.Held(var _, var hold) ->
                add(at, subject, Kind.HELD, hold.reason().label() + ": " + hold.advised());
            case Notification.WouldEvict(var _, var target) ->
                add(
                        at,
                        subject,
                        Kind.WOULD_EVICT,
                        "if " + violation.policy() + " enforced"
                                + target.map(node -> "; " + node + " would take it")
                                        .orElse(""));
            case Notification.Answered(var _, String _, EvictionAnswer answer) -> {
                if (answer instanceof EvictionAnswer.Evicted) {
                    add(at, subject, Kind.EVICTED, "for " + rule(violation));
                }
            }
            case Notification.Moved moved ->
                add(
                        at,
                        subject,
                        Kind.MOVED,
                        moved.outcome().label()
                                + moved.toNode().map(node -> ": to " + node).orElse(""));
            case Notification.Evicting _, Notification.AnnotationIgnored _ -> {}
        }
    }

    private static String rule(ViolationReport violation) {
        String policy = violation.policy().toString();
        return "rule " + violation.rule() + (policy.isEmpty() ? "" : " of " + policy);
    }

    private void addDue(Instant end) {
        forgiven.values().stream()
                .filter(violation -> !violation.deadline().isAfter(end))
                .forEach(this::addDue);
    }

    private void addDue(ViolationReport violation) {
        add(violation.deadline(), violation.owner(), Kind.DUE, rule(violation));
    }

    private void add(Instant at, BoundPod pod, Kind kind, String text) {
        subjects.computeIfAbsent(
                        pod.uid(),
                        uid -> new Subject(
                                pod.name().namespace(), pod.name().name(), uid, pod.node(), new ArrayList<>()))
                .moments()
                .add(new Moment(seconds(at), kind, text));
    }

    private void add(Displaced displaced) {
        Pod pod = displaced.pod();
        String replacement = displaced
                .replacementUid()
                .flatMap(simulation.cluster()::pod)
                .map(it -> "by the change; " + it.name().name()
                        + it.nodeName()
                                .map(node -> " takes its place on " + node)
                                .orElse(" has no node at the end"))
                .orElse("by the change; no pod takes its place");
        subjects.computeIfAbsent(
                        pod.uid(),
                        uid -> new Subject(
                                pod.namespace(),
                                pod.name().name(),
                                uid,
                                pod.nodeName().orElse(""),
                                new ArrayList<>()))
                .moments()
                .add(new Moment(seconds(displaced.at()), Kind.REMOVED, replacement));
    }

    private long seconds(Instant at) {
        return Math.max(0, Duration.between(simulation.start(), at).toSeconds());
    }
}
