package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import java.util.List;

/**
 * All measurements of {@code it/bench scale}.
 *
 * @param flags the JVM flags of the operator
 * @param podBytes the average size of a pod in protobuf
 * @param violating how many pods violated a rule during the rounds
 * @param startMillis how long each start of the operator took in an empty cluster, from the
 * start of the process to the first 200 from /readyz
 * @param afterRelist the operator's memory and CPU time after it had relisted everything because kube-apiserver was
 * restarted
 * @param usual the latencies of label changes at 20 requests a second, the usual rate for 3,000 pods
 * @param fast the latencies of label changes at 200 requests a second
 * @param churn the operator's CPU use during events that break no rule, one element for each rate of events
 * @param allViolating the operator while every pod violates a rule
 * @param quiet the operator's requests during the quiet minutes; none if they were skipped
 */
record ScaleMeasurements(
        List<String> flags,
        double podBytes,
        int violating,
        List<Double> startMillis,
        List<ScaleRound> rounds,
        ProcessFigures afterRelist,
        ChangeLatencies usual,
        ChangeLatencies fast,
        List<ChurnCost> churn,
        AllViolating allViolating,
        List<ApiCalls> quiet) {
    ScaleMeasurements {
        flags = List.copyOf(flags);
        startMillis = List.copyOf(startMillis);
        rounds = List.copyOf(rounds);
        churn = List.copyOf(churn);
        quiet = List.copyOf(quiet);
    }
}
