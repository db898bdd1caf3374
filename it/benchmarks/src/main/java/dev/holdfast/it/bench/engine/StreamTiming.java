package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The cost of one recorded watch for one {@link StreamReader}.
 *
 * @param reader the name of the reader
 * @param stream the kind of events
 * @param judged whether the reader evaluated the rules too; the targets apply only then
 * @param rounds the measured rounds, in order
 */
record StreamTiming(String reader, String stream, boolean judged, List<Round> rounds) {
    private static final double MICROS = 1e6;
    private static final double MEGA = 1e6;

    StreamTiming {
        rounds = List.copyOf(rounds);
    }

    /**
     * The measurements of one round.
     *
     * @param cpu the CPU time of the reading thread, in microseconds
     * @param collecting the pauses of the garbage collector, in microseconds
     * @param garbage the allocated bytes
     */
    record Round(long events, long bytes, double cpu, double collecting, double garbage) {}

    /** {@return two figures: events per second on one core, with garbage collection, and allocated bytes per event} */
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

    /** {@return the average length of a frame in bytes} */
    double frameBytes() {
        return (double) rounds.stream().mapToLong(Round::bytes).sum()
                / rounds.stream().mapToLong(Round::events).sum();
    }

    private List<Double> samples(ToDoubleFunction<Round> figure) {
        return rounds.stream().map(figure::applyAsDouble).toList();
    }
}
