package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import java.util.List;

/**
 * All measurements of {@code it/bench scale}.
 *
 * @param flags of the operator's JVM
 * @param podBytes the average size of a pod in protobuf
 * @param violating how many pods violated a rule in the rounds
 * @param startMillis of the operator on a cluster without nodes, pods and policies, from the start of its process to a
 * 200 from /readyz
 * @param afterRelist of the operator after it had listed everything twice, because kube-apiserver was restarted
 * @param usual changes at the rate of a cluster of 3,000 pods
 * @param fast changes at ten times that rate
 * @param churn the CPU use during events that break nothing
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
        List<ApiCalls> quiet) {
    ScaleMeasurements {
        flags = List.copyOf(flags);
        startMillis = List.copyOf(startMillis);
        rounds = List.copyOf(rounds);
        churn = List.copyOf(churn);
        quiet = List.copyOf(quiet);
    }
}
