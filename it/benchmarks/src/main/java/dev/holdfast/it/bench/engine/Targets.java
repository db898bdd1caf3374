package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Target;
import java.util.Map;

/** The performance targets of the engine's benchmarks, in microseconds and bytes. */
final class Targets {
    /**
     * The targets for a change of one pod, if only the index handles it. Also for other events that should cost as
     * little.
     */
    static final Map<Statistic, Target> ONE_POD = Map.of(
            Statistic.COST, Target.atMost(5, 2),
            Statistic.P99, Target.atMost(20, 10),
            Statistic.GARBAGE, Target.stretchAtMost(0));

    /** The target for a change of one pod, if the whole engine handles it: the index, and what decides about moves. */
    static final Map<Statistic, Target> STEP = Map.of(Statistic.P99, Target.atMost(20, 10));

    static final Map<Statistic, Target> NODE_30 = Map.of(Statistic.P99, Target.atMost(250, 60));
    static final Map<Statistic, Target> NODE_110 = Map.of(Statistic.P99, Target.atMost(1_000, 200));

    /** The target for a change of the labels of a namespace with 3,000 pods. */
    static final Map<Statistic, Target> NAMESPACE = Map.of(Statistic.MEDIAN, Target.atMost(10_000, 2_000));

    /** The target for a new policy that selects 150,000 pods. */
    static final Map<Statistic, Target> POLICY = Map.of(Statistic.MEDIAN, Target.atMost(150_000, 50_000));

    private Targets() {}
}
