package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Aim;
import dev.holdfast.it.bench.report.Aim.Statistic;
import java.util.List;

/** What the scenes should take, in microseconds and bytes. */
final class Aims {
    /** Of one event of a pod, and of what is to cost no more. */
    static final List<Aim> ONE_POD = List.of(
            new Aim(Statistic.COST, 5, 2), new Aim(Statistic.P99, 20, 10), new Aim(Statistic.GARBAGE, Aim.NO_GOAL, 0));

    /** Of one event of a pod to the whole engine. */
    static final List<Aim> STEP = List.of(new Aim(Statistic.P99, 20, 10));

    static final List<Aim> NODE_30 = List.of(new Aim(Statistic.P99, 250, 60));
    static final List<Aim> NODE_110 = List.of(new Aim(Statistic.P99, 1_000, 200));

    /** Of a namespace with 3,000 pods. */
    static final List<Aim> NAMESPACE = List.of(new Aim(Statistic.P50, 10_000, 2_000));

    /** Of a policy for 150,000 pods. */
    static final List<Aim> POLICY = List.of(new Aim(Statistic.P50, 150_000, 50_000));

    private Aims() {}
}
