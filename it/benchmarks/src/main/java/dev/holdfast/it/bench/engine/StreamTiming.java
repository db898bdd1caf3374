package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What one reader of a recorded watch took.
 *
 * @param reader who read it
 * @param stream what it told
 * @param judged whether the pods were judged too: the targets are meant for that
 * @param rounds the raw samples
 */
record StreamTiming(String reader, String stream, boolean judged, List<Round> rounds) {
    private static final double MICROS = 1e6;
    private static final double MEGA = 1e6;

    StreamTiming {
        rounds = List.copyOf(rounds);
    }

    /**
     * One round.
     *
     * @param cpu time of the thread that read, in microseconds
     * @param collecting time that the garbage collector stopped it, in microseconds
     * @param garbage bytes allocated
     */
    record Round(long events, long bytes, double cpu, double collecting, double garbage) {}

    /** {@return events a second of one core, garbage collection included, and bytes allocated an event} */
    List<Figure> figures() {
        String section = judged ? "P11" : "";
        String what = reader + ", " + stream;
        Figure perSecond = Figure.median(
                section,
                what + ", events a second",
                samples(round -> round.events() * MICROS / (round.cpu() + round.collecting())),
                Unit.COUNT);
        Figure garbage = Figure.median(
                section, what + ", garbage an event", samples(round -> round.garbage() / round.events()), Unit.BYTES);
        String bytes = String.format(
                Locale.ROOT,
                "%,.0f bytes a frame, %,.0f MB a second",
                frameBytes(),
                perSecond.value() * frameBytes() / MEGA);
        return List.of(
                perSecond.noting(bytes).against(judged ? Target.atLeast(100_000, 250_000) : Target.none()),
                garbage.against(judged ? Target.atMost(1_024, 256) : Target.none()));
    }

    /** {@return how many bytes a frame has on average} */
    double frameBytes() {
        return (double) rounds.stream().mapToLong(Round::bytes).sum()
                / rounds.stream().mapToLong(Round::events).sum();
    }

    private List<Double> samples(ToDoubleFunction<Round> figure) {
        return rounds.stream().map(figure::applyAsDouble).toList();
    }
}
