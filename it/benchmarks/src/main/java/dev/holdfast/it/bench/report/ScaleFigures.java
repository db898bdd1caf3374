package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import java.util.List;

/**
 * All that was measured at scale.
 *
 * @param flags of the operator's JVM
 * @param podBytes of a pod in protobuf, on average
 * @param violating pods whose rules were broken in the rounds
 * @param startOnEmpty the operator's start on a cluster without nodes, pods and policies
 * @param afterRelist of the operator that had read everything twice, since kube-apiserver had gone and come back
 * @param usual changes at the pace of a cluster of 3,000 pods
 * @param fast ten times as fast
 * @param churn what events cost that break nothing
 * @param quiet the operator's requests while nothing changed; none where that was left out
 */
public record ScaleFigures(
        List<String> flags,
        double podBytes,
        int violating,
        Starts startOnEmpty,
        List<ScaleRound> rounds,
        ProcessFigures afterRelist,
        ChangeFigures usual,
        ChangeFigures fast,
        List<ChurnCost> churn,
        List<ApiCalls> quiet) {
    public ScaleFigures {
        flags = List.copyOf(flags);
        rounds = List.copyOf(rounds);
        churn = List.copyOf(churn);
        quiet = List.copyOf(quiet);
    }
}
