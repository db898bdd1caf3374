package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The measured times of one {@link Scene}, in microseconds for each turn (a batch of events that is timed as one).
 *
 * @param section the group of figures in the report: a performance target, such as P1, or another short name
 * @param scene the name of the scene
 * @param what a short description of the event
 * @param targets the targets of the figures
 * @param samples the number of timed turns; JMH does not time all of them if there are many
 * @param mean the mean wall-clock time; other processes of the machine increase it, as they do the percentiles
 * @param iterations the raw samples of each JMH iteration
 */
record SceneTiming(
        String section,
        String scene,
        String what,
        Map<Statistic, Target> targets,
        long samples,
        double mean,
        double p50,
        double p90,
        double p99,
        double max,
        List<Iteration> iterations) {
    SceneTiming {
        targets = Map.copyOf(targets);
        iterations = List.copyOf(iterations);
    }

    /**
     * The measurements of one JMH iteration.
     *
     * @param turns the number of turns, timed or not
     * @param cpu the CPU time of the benchmark thread, in microseconds
     * @param collecting the pauses of the garbage collector, in microseconds
     * @param garbage the allocated bytes
     * @param samples pairs of a time in microseconds and the number of turns that took it; JMH rounds times to three
     * digits
     */
    record Iteration(double turns, double cpu, double collecting, double garbage, List<List<Double>> samples) {
        Iteration {
            samples = List.copyOf(samples);
        }
    }

    /** {@return one figure for each statistic} */
    List<Figure> figures() {
        return Arrays.stream(Statistic.values()).map(this::figure).toList();
    }

    private Figure figure(Statistic statistic) {
        Figure figure = Figure.of(section, what + ", " + statistic.label(), of(statistic), statistic.unit())
                .against(targets.getOrDefault(statistic, Target.none()));
        return statistic == Statistic.P99 ? figure.noting(others()) : figure;
    }

    private String others() {
        return String.format(
                Locale.ROOT,
                "mean %s, p90 %s, max %s of %,d",
                Unit.MICROSECONDS.print(mean),
                Unit.MICROSECONDS.print(p90),
                Unit.MICROSECONDS.print(max),
                samples);
    }

    /** {@return the value of a statistic} */
    double of(Statistic statistic) {
        return switch (statistic) {
            case COST -> perTurn(one -> one.cpu() + one.collecting());
            case GARBAGE -> perTurn(Iteration::garbage);
            case MEDIAN -> p50;
            case P99 -> p99;
        };
    }

    private double perTurn(ToDoubleFunction<Iteration> what) {
        double turns = iterations.stream().mapToDouble(Iteration::turns).sum();
        return iterations.stream().mapToDouble(what).sum() / turns;
    }
}
