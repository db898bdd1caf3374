package dev.holdfast.operator.offline.loss;

import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.object.BudgetShortage;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which pods are Ready, how many a workload wants, and how bad it is if fewer are. */
final class Readiness {
    private Readiness() {}

    static boolean isReady(Pod pod) {
        return pod.ready() && !pod.terminating();
    }

    static int wanted(List<Pod> pods, ClusterView cluster) {
        Pod any = pods.getFirst();
        return WorkloadName.topmost(any, cluster)
                .flatMap(it -> cluster.owner(any.namespace(), it.uid()))
                .map(Owner::replicas)
                .flatMap(replicas -> replicas.isPresent() ? Optional.of(replicas.getAsInt()) : Optional.empty())
                .map(replicas -> Math.min(replicas, pods.size()))
                .orElse(pods.size());
    }

    /** {@return one pod of each set of labels, which the same budgets select} */
    static List<Pod> different(List<Pod> pods) {
        Map<Labels, Pod> byLabels = new LinkedHashMap<>();
        pods.forEach(pod -> byLabels.putIfAbsent(pod.labels(), pod));
        return List.copyOf(byLabels.values());
    }

    static List<BudgetShortage> shortages(List<Pod> pods, Simulation simulation) {
        return pods.stream()
                .flatMap(pod -> simulation.shortages(pod).stream())
                .distinct()
                .toList();
    }

    static WorkloadState state(int left, List<BudgetShortage> shortages) {
        if (left == 0) {
            return WorkloadState.GONE;
        }
        return shortages.isEmpty() ? WorkloadState.DEGRADED : WorkloadState.BELOW_BUDGET;
    }
}
