package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Target;
import java.util.Map;

/** The targets of scenes, in microseconds and bytes. */
final class Targets {
    /** For one event of a pod, and for events that should cost the same. */
    static final Map<Statistic, Target> ONE_POD = Map.of(
            Statistic.COST, Target.atMost(5, 2),
            Statistic.P99, Target.atMost(20, 10),
            Statistic.GARBAGE, Target.stretchAtMost(0));

    /** For one event of a pod in the whole engine. */
    static final Map<Statistic, Target> STEP = Map.of(Statistic.P99, Target.atMost(20, 10));

    static final Map<Statistic, Target> NODE_30 = Map.of(Statistic.P99, Target.atMost(250, 60));
    static final Map<Statistic, Target> NODE_110 = Map.of(Statistic.P99, Target.atMost(1_000, 200));

    /** For a namespace with 3,000 pods. */
    static final Map<Statistic, Target> NAMESPACE = Map.of(Statistic.MEDIAN, Target.atMost(10_000, 2_000));

    /** For a policy with 150,000 pods. */
    static final Map<Statistic, Target> POLICY = Map.of(Statistic.MEDIAN, Target.atMost(150_000, 50_000));

    private Targets() {}
}
