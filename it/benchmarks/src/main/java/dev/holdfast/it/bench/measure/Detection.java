package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.PlannedChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The comparison of the violations that the bench planned with the changes that a {@link BareWatch} saw and the
 * violations that the operator logged.
 *
 * @param samples one for each request that made or reverted a change, in order. A request has none if the bare watch
 *     did not see its change, or the operator did not log all its violations
 * @param faults one line for each change that the bare watch did not see, and each planned violation that was not
 *     logged. Also one for each logged violation that was not planned
 */
public record Detection(List<Sample> samples, List<String> faults) {
    private static final double NANOS_PER_MILLI = 1e6;

    public Detection {
        samples = List.copyOf(samples);
        faults = List.copyOf(faults);
    }

    /**
     * How long the operator took to detect one step of a label change, in milliseconds after the request was sent.
     *
     * @param watched when the bare watch had read the event
     * @param recorded when the operator logged the last violation
     */
    public record Sample(PlannedChange.Step step, double watched, double recorded) {
        /** {@return the time from the event in the bare watch to the last logged violation} */
        public double aboveWatch() {
            return recorded - watched;
        }
    }

    /**
     * {@return the comparison} If several requests cause the same violation, the first log line about it belongs to the
     * first request, the second to the second request, and so on.
     *
     * @param committed the requests that made or reverted changes, in order
     * @param watched when the bare watch read each change, by resource version
     * @param logged all violations that the operator logged during these requests, in order
     */
    public static Detection of(
            List<ChangeCommitter.Committed> committed,
            Map<String, Instant> watched,
            List<OperatorLog.Violation> logged) {
        Map<String, Deque<Instant>> recorded = new TreeMap<>();
        logged.forEach(one -> recorded.computeIfAbsent(words(one.step(), one.violation()), _ -> new ArrayDeque<>())
                .add(one.at()));
        List<Sample> samples = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (ChangeCommitter.Committed one : committed) {
            List<Instant> times = new ArrayList<>();
            for (ExpectedViolation violation : one.change().violations()) {
                String words = words(one.step(), violation);
                Optional.ofNullable(
                                recorded.getOrDefault(words, new ArrayDeque<>()).poll())
                        .ifPresentOrElse(times::add, () -> faults.add("not recorded: " + words));
            }
            Optional<Instant> seen = Optional.ofNullable(watched.get(one.version()));
            if (seen.isEmpty()) {
                faults.add("not seen by the bare watch: " + one.step() + " of "
                        + one.change().target());
            } else if (times.size() == one.change().violations().size()) {
                samples.add(new Sample(
                        one.step(), millis(one.sent(), seen.get()), millis(one.sent(), Collections.max(times))));
            }
        }
        recorded.forEach(
                (words, left) -> left.forEach(at -> faults.add("recorded, but not planted: " + words + " at " + at)));
        return new Detection(samples, faults);
    }

    private static String words(PlannedChange.Step step, ExpectedViolation violation) {
        return step + " of " + violation.rule().label() + " of pod " + violation.podUid();
    }

    private static double millis(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / NANOS_PER_MILLI;
    }
}
