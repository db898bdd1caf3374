package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The timing of one {@link Scene}, in microseconds for each turn (a batch of events that is timed as one).
 *
 * @param section the group of figures in the report: a performance target, such as P1, or another short name
 * @param scene the name of the scene
 * @param what a short description of the event
 * @param samples the number of timed turns; JMH does not time all of them if there are many
 * @param mean the mean wall-clock time; other processes of the machine increase it, as they do the percentiles
 * @param iterations the raw samples of each JMH iteration
 */
record SceneTiming(
        String section,
        String scene,
        String what,
        Goals goals,
        long samples,
        double mean,
        double p50,
        double p90,
        double p99,
        double max,
        List<Iteration> iterations) {
    SceneTiming {
        iterations = List.copyOf(iterations);
    }

    /** The targets of the figures of a scene, in microseconds and bytes. */
    record Goals(Target cost, Target garbage, Target median, Target p99) {
        static final Goals NONE = median(Target.none());

        /**
         * The targets for a change of one pod, if only the index handles it. Also for other events that should cost as
         * little.
         */
        static final Goals ONE_POD =
                new Goals(Target.atMost(5, 2), Target.stretchAtMost(0), Target.none(), Target.atMost(20, 10));

        /**
         * The target for a change of one pod, if the whole engine handles it: the index, and what decides about moves.
         */
        static final Goals STEP = p99(Target.atMost(20, 10));

        static final Goals NODE_30 = p99(Target.atMost(250, 60));
        static final Goals NODE_110 = p99(Target.atMost(1_000, 200));

        /** The target for a change of the labels of a namespace with 3,000 pods. */
        static final Goals NAMESPACE = median(Target.atMost(10_000, 2_000));

        /** The target for a new policy that selects 150,000 pods. */
        static final Goals POLICY = median(Target.atMost(150_000, 50_000));

        private static Goals median(Target median) {
            return new Goals(Target.none(), Target.none(), median, Target.none());
        }

        private static Goals p99(Target p99) {
            return new Goals(Target.none(), Target.none(), Target.none(), p99);
        }
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
        String others = String.format(
                Locale.ROOT,
                "mean %s, p90 %s, max %s of %,d",
                Unit.MICROSECONDS.print(mean),
                Unit.MICROSECONDS.print(p90),
                Unit.MICROSECONDS.print(max),
                samples);
        return List.of(
                figure("mean cost", cost(), Unit.MICROSECONDS).against(goals.cost()),
                figure("garbage", perTurn(Iteration::garbage), Unit.BYTES).against(goals.garbage()),
                figure("median", p50, Unit.MICROSECONDS).against(goals.median()),
                figure("p99", p99, Unit.MICROSECONDS).against(goals.p99()).noting(others));
    }

    private Figure figure(String statistic, double value, Unit unit) {
        return Figure.of(section, what + ", " + statistic, value, unit);
    }

    /** {@return the mean CPU time of a turn, plus the pauses of the garbage collector} */
    double cost() {
        return perTurn(one -> one.cpu() + one.collecting());
    }

    private double perTurn(ToDoubleFunction<Iteration> number) {
        double turns = iterations.stream().mapToDouble(Iteration::turns).sum();
        return iterations.stream().mapToDouble(number).sum() / turns;
    }
}
