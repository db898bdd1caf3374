package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.Summary;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one reader of a recorded watch took.
 *
 * @param reader who read it
 * @param stream what it told
 * @param judged whether who read it has judged the pods too
 * @param rounds the raw samples
 */
public record StreamFigures(String reader, String stream, boolean judged, List<Round> rounds) {
    private static final double MICROS = 1e6;
    private static final double MEGA = 1e6;

    public StreamFigures {
        rounds = List.copyOf(rounds);
    }

    /**
     * One round.
     *
     * @param cpu time of the thread that read, in microseconds
     * @param collecting time that the garbage collector stopped it, in microseconds
     * @param garbage bytes allocated
     */
    public record Round(long events, long bytes, double cpu, double collecting, double garbage) {}

    /** {@return events a second of one core, garbage collected} */
    public Summary perSecond() {
        return summary(round -> round.events() * MICROS / (round.cpu() + round.collecting()));
    }

    /** {@return bytes allocated an event} */
    public Summary garbage() {
        return summary(round -> round.garbage() / round.events());
    }

    /** {@return what the stream has a second, in megabytes, at the median rate of events} */
    public double megabytesPerSecond() {
        return perSecond().p50() * frameBytes() / MEGA;
    }

    /** {@return how many bytes a frame has on average} */
    public double frameBytes() {
        return (double) rounds.stream().mapToLong(Round::bytes).sum()
                / rounds.stream().mapToLong(Round::events).sum();
    }

    private Summary summary(ToDoubleFunction<Round> figure) {
        return Summary.of(rounds.stream().map(figure::applyAsDouble).toList());
    }
}
