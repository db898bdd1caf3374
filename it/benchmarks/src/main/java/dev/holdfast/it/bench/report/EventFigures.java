package dev.holdfast.it.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How long one kind of event took, in microseconds.
 *
 * @param section the row of the goals, or the kind of addition
 * @param scene its name in the bench
 * @param what happens, in few words
 * @param samples how many turns were timed; JMH times a part of them when they are many
 * @param mean by the clock on the wall, as the percentiles, and so with all that others on the machine do meanwhile
 * @param aims what it should be
 * @param iterations the raw samples
 */
public record EventFigures(
        String section,
        String scene,
        String what,
        long samples,
        double mean,
        double p50,
        double p90,
        double p99,
        double max,
        List<Aim> aims,
        List<Iteration> iterations) {
    public EventFigures {
        aims = List.copyOf(aims);
        iterations = List.copyOf(iterations);
    }

    /**
     * One iteration of JMH.
     *
     * @param turns all that were played, timed or not
     * @param cpu time of the thread that played, in microseconds
     * @param collecting time that the garbage collector stopped it, in microseconds
     * @param garbage bytes allocated
     * @param samples pairs of a time and how many turns took it; JMH keeps times with three digits
     */
    public record Iteration(double turns, double cpu, double collecting, double garbage, List<List<Double>> samples) {
        public Iteration {
            samples = List.copyOf(samples);
        }
    }

    /** {@return what a turn costs on average in CPU time, that of the garbage collector counted in, in microseconds} */
    public double cost() {
        return perTurn(one -> one.cpu() + one.collecting());
    }

    /** {@return bytes allocated a turn} */
    public double garbage() {
        return perTurn(Iteration::garbage);
    }

    private double perTurn(ToDoubleFunction<Iteration> what) {
        double turns = iterations.stream().mapToDouble(Iteration::turns).sum();
        return iterations.stream().mapToDouble(what).sum() / turns;
    }

    /** {@return one number of it} */
    public double of(Aim.Statistic statistic) {
        return switch (statistic) {
            case COST -> cost();
            case P50 -> p50;
            case P99 -> p99;
            case GARBAGE -> garbage();
        };
    }
}
