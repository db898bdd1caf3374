package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.report.TimeLine.Kind;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.TimeLine.Moment;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.forgive.ViolationKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Collects what happens to a pod, and says how the pod stands after each moment. */
final class LaneBuilder {
    /** Pods that leave their node first, then those that are held; then by time and name. */
    static final Comparator<LaneBuilder> ORDER = Comparator.comparing((LaneBuilder lane) -> !lane.has(Kind.EVICTED))
            .thenComparing(lane -> !lane.has(Kind.REMOVED))
            .thenComparing(lane -> !lane.has(Kind.HELD))
            .thenComparing(lane -> lane.steps.getFirst().at())
            .thenComparing(lane -> lane.pod.name())
            .thenComparing(lane -> lane.pod.uid());

    /** The maximum number of moments of a lane: an even number. */
    private static final int MOST_MOMENTS = 20;

    private final BoundPod pod;
    private final List<Step> steps = new ArrayList<>();

    /** @param violation the violation that it is about; empty if it is about the pod as a whole */
    private record Step(Instant at, Kind kind, String text, Optional<ViolationKey> violation) {}

    LaneBuilder(BoundPod pod) {
        this.pod = pod;
    }

    private boolean has(Kind kind) {
        return steps.stream().anyMatch(step -> step.kind() == kind);
    }

    /** Adds what happens to a violation, after all that has happened. */
    void add(Instant at, Kind kind, String text, ViolationKey violation) {
        steps.add(new Step(at, kind, text, Optional.of(violation)));
    }

    /** Adds what happens to the pod, after all that has happened. */
    void add(Instant at, Kind kind, String text) {
        steps.add(new Step(at, kind, text, Optional.empty()));
    }

    /** Adds that a violation is due, after it began and before what else happens at the same time. */
    void addDue(Instant at, String text, ViolationKey violation) {
        int place = steps.size();
        while (place > 0 && !steps.get(place - 1).at().isBefore(at) && !isBegin(steps.get(place - 1), violation)) {
            place--;
        }
        Instant due = place > 0 && steps.get(place - 1).at().isAfter(at)
                ? steps.get(place - 1).at()
                : at;
        steps.add(place, new Step(due, Kind.DUE, text, Optional.of(violation)));
    }

    private static boolean isBegin(Step step, ViolationKey violation) {
        return step.kind() == Kind.BEGINS && step.violation().equals(Optional.of(violation));
    }

    /** Adds that a change removes the pod, before the violations that end because of that. */
    void addRemoved(Instant at, String text) {
        int place = steps.size();
        while (place > 0 && isAfterRemoval(steps.get(place - 1), at)) {
            place--;
        }
        steps.add(place, new Step(at, Kind.REMOVED, text, Optional.empty()));
    }

    private static boolean isAfterRemoval(Step step, Instant removed) {
        return step.at().isAfter(removed) || (step.at().equals(removed) && step.kind() == Kind.ENDS);
    }

    /** @param seconds the time of an instant */
    Lane lane(ToLongFunction<Instant> seconds) {
        List<Moment> moments = new ArrayList<>();
        Map<ViolationKey, Step> open = new LinkedHashMap<>();
        Optional<Step> left = Optional.empty();
        Step end = steps.getFirst();
        for (Step step : steps) {
            switch (step.kind()) {
                case BEGINS, WOULD_EVICT, DUE, HELD -> step.violation().ifPresent(key -> open.put(key, step));
                case ENDS -> step.violation().ifPresent(open::remove);
                case EVICTED, REMOVED, MOVED, FUTILE, GONE -> left = Optional.of(step);
            }
            end = left.or(() -> gravest(open)).orElse(step);
            moments.add(new Moment(seconds.applyAsLong(step.at()), step.kind(), step.text(), end.kind()));
        }
        return new Lane(
                pod.name().namespace(),
                pod.name().name(),
                pod.uid(),
                pod.node(),
                bounded(moments),
                Math.max(0, moments.size() - MOST_MOMENTS),
                new Moment(seconds.applyAsLong(end.at()), end.kind(), end.text(), end.kind()));
    }

    private static List<Moment> bounded(List<Moment> moments) {
        if (moments.size() <= MOST_MOMENTS) {
            return moments;
        }
        List<Moment> bounded = new ArrayList<>(moments.subList(0, MOST_MOMENTS / 2));
        bounded.addAll(moments.subList(moments.size() - MOST_MOMENTS / 2, moments.size()));
        return bounded;
    }

    private static Optional<Step> gravest(Map<ViolationKey, Step> open) {
        return open.values().stream().max(Comparator.comparing(Step::kind).thenComparing(Step::at));
    }
}
