package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import java.util.List;

/**
 * All that was measured at scale.
 *
 * @param flags of the operator's JVM
 * @param podBytes of a pod in protobuf, on average
 * @param violating pods whose rules were broken in the rounds
 * @param startMillis of the operator on a cluster without nodes, pods and policies, from its process to a 200 from /readyz
 * @param afterRelist of the operator that had read everything twice, since kube-apiserver had gone and come back
 * @param usual changes at the pace of a cluster of 3,000 pods
 * @param fast ten times as fast
 * @param churn what events cost that break nothing
 * @param quiet the operator's requests while nothing changed; none where that was left out
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
