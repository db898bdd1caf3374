package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.CommittedChange;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The comparison of the violations that the bench planned with the changes that a {@link BareWatch} saw and the
 * violations that the operator logged.
 *
 * @param samples one for each request that made or reverted a change, in order. A request has none if the bare watch
 * did not see its change, or the operator did not log all its violations
 * @param faults one line for each change that the bare watch did not see, and each planned violation that was not
 * logged. Also one for each logged violation that was not planned
 */
public record Detection(List<Sample> samples, List<String> faults) {
    private static final double NANOS_PER_MILLI = 1e6;

    /** A planned or logged violation, and whether it begins or heals. */
    private record Key(ChangeStep changeStep, ExpectedViolation expectedViolation) {}

    public Detection {
        samples = List.copyOf(samples);
        faults = List.copyOf(faults);
    }

    /**
     * {@return the comparison} If several requests cause the same violation, the first log line about it belongs to the
     * first request, the second to the second request, and so on.
     *
     * @param committedChange the requests that made or reverted changes, in order
     * @param watched when the bare watch read each change, by resource version
     * @param told all violations that the operator logged during these requests, in order
     */
    public static Detection of(
            List<CommittedChange> committedChange, Map<String, Instant> watched, List<OperatorLog.Violation> told) {
        Map<Key, Deque<Instant>> recorded = new HashMap<>();
        told.forEach(one -> recorded.computeIfAbsent(
                        new Key(one.changeStep(), one.expectedViolation()), _ -> new ArrayDeque<>())
                .add(one.at()));
        List<Sample> samples = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (CommittedChange one : committedChange) {
            List<Instant> times = new ArrayList<>();
            for (ExpectedViolation expectedViolation : one.plannedChange().expectedViolation()) {
                Optional.ofNullable(
                                recorded.getOrDefault(new Key(one.changeStep(), expectedViolation), new ArrayDeque<>())
                                        .poll())
                        .ifPresentOrElse(
                                times::add,
                                () -> faults.add("not recorded: " + words(one.changeStep(), expectedViolation)));
            }
            Optional<Instant> seen = Optional.ofNullable(watched.get(one.version()));
            if (seen.isEmpty()) {
                faults.add("not seen by the bare watch: " + one.changeStep() + " of "
                        + one.plannedChange().target());
            } else if (times.size() == one.plannedChange().expectedViolation().size()) {
                samples.add(sample(one, seen.get(), times));
            }
        }
        recorded.forEach((key, left) -> left.forEach(at -> faults.add(
                "recorded, but not planted: " + words(key.changeStep(), key.expectedViolation()) + " at " + at)));
        return new Detection(samples, faults);
    }

    private static String words(ChangeStep changeStep, ExpectedViolation expectedViolation) {
        return changeStep + " of " + expectedViolation.rule().label() + " of pod " + expectedViolation.podUid();
    }

    private static Sample sample(CommittedChange one, Instant watched, List<Instant> recorded) {
        List<Double> after =
                recorded.stream().map(at -> millis(one.sent(), at)).sorted().toList();
        return new Sample(
                one.number(),
                one.changeStep(),
                one.plannedChange().expectedViolation().iterator().next().rule().label(),
                one.plannedChange().target().name(),
                one.plannedChange().expectedViolation().size(),
                one.sent(),
                millis(one.sent(), one.answered()),
                millis(one.sent(), watched),
                after.getFirst(),
                after.getLast());
    }

    private static double millis(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / NANOS_PER_MILLI;
    }
}
