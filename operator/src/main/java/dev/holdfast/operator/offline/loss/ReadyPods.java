package dev.holdfast.operator.offline.loss;

import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.object.BudgetShortage;
import dev.holdfast.operator.offline.waiting.AlikePods;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The Ready pods of each workload when a simulation begins, and what becomes of their number. Pods of DaemonSets and
 * static pods are left out, as they belong to their nodes.
 */
public final class ReadyPods {
    private final Simulation simulation;
    private final Map<WorkloadName, List<Pod>> byWorkload;
    private final ReadyHistory history;

    private ReadyPods(Simulation simulation) {
        this.simulation = simulation;
        this.byWorkload = byWorkload(simulation.cluster());
        this.history = new ReadyHistory(simulation, byWorkload);
    }

    /** Begins to count the Ready pods of a simulation, which has no other listener. */
    public static ReadyPods countedIn(Simulation simulation) {
        return new ReadyPods(simulation);
    }

    private static Map<WorkloadName, List<Pod>> byWorkload(ClusterView cluster) {
        Map<WorkloadName, List<Pod>> pods = new TreeMap<>();
        cluster.pods().stream()
                .filter(Readiness::isReady)
                .forEach(pod -> WorkloadName.of(pod, cluster)
                        .ifPresent(workload -> pods.computeIfAbsent(workload, _ -> new ArrayList<>())
                                .add(pod)));
        return pods;
    }

    /** {@return the workload of a pod: {@code Deployment/web}; {@code <none>} for pods that belong to their nodes} */
    public static String workload(Pod pod, ClusterView cluster) {
        return WorkloadName.of(pod, cluster)
                .map(it -> it.kind() + "/" + it.name())
                .orElse("<none>");
    }

    /** {@return how many pods of each workload of a cluster are Ready; none is listed with 0} */
    static Map<WorkloadName, Integer> counts(ClusterView cluster) {
        Map<WorkloadName, Integer> counts = new TreeMap<>();
        byWorkload(cluster).forEach((workload, pods) -> counts.put(workload, pods.size()));
        return counts;
    }

    /**
     * {@return the workloads of which fewer pods are Ready now, or were at any time since the beginning, the worst
     * first} A workload that then wants fewer pods loses none as long as it has these.
     */
    public List<WorkloadLoss> losses() {
        Map<WorkloadName, List<Pod>> now = byWorkload(simulation.cluster());
        StuckPods stuck = new StuckPods(simulation);
        List<WorkloadLoss> losses = new ArrayList<>();
        byWorkload.forEach((workload, pods) -> {
            int left = now.getOrDefault(workload, List.of()).size();
            WorstMoment worst = history.worst(workload);
            if (left < Readiness.wanted(pods, simulation.cluster())) {
                losses.add(lasting(workload, left, worst, stuck));
            } else if (worst.state() != WorkloadState.FINE) {
                List<String> why = worst.recovery(pods.size(), left, history.lastChange(workload));
                losses.add(loss(workload, left, WorkloadState.FINE, worst, why));
            }
        });
        losses.sort(WorkloadLoss.WORST_FIRST);
        return losses;
    }

    private WorkloadLoss lasting(WorkloadName workload, int left, WorstMoment worst, StuckPods stuck) {
        List<Pod> pods = byWorkload.getOrDefault(workload, List.of());
        List<BudgetShortage> shortages = Readiness.shortages(Readiness.different(pods), simulation);
        List<String> why = new ArrayList<>(worst.recovery(pods.size(), left, history.lastChange(workload)));
        if (WorkloadLoss.isQuorum(workload.kind(), pods.size()) && left * 2 <= pods.size()) {
            why.add("a quorum of " + pods.size() + " needs " + (pods.size() / 2 + 1));
        }
        shortages.forEach(it ->
                why.add("budget " + it.budget() + " requires " + it.required() + " Ready pods and has " + it.ready()));
        why.add(stuck.why(workload));
        return loss(workload, left, Readiness.state(left, shortages), worst, why);
    }

    private WorkloadLoss loss(
            WorkloadName workload, int left, WorkloadState state, WorstMoment worst, List<String> why) {
        return new WorkloadLoss(
                workload.namespace(),
                workload.kind(),
                workload.name(),
                byWorkload.getOrDefault(workload, List.of()).size(),
                left,
                state,
                String.join("; ", why),
                worst);
    }

    /** The pods that are stuck in a simulation, by workload. Reasons cost time, so one pod of each has one. */
    private static final class StuckPods {
        private static final Comparator<Pod> BY_NAME =
                Comparator.comparing(pod -> pod.name().name());

        private final Map<WorkloadName, List<Pod>> pods = new HashMap<>();
        private final Map<Pod, String> reasons = new HashMap<>();

        StuckPods(Simulation simulation) {
            ClusterView cluster = simulation.cluster();
            Map<Pod, String> missing = simulation.missing();
            List<Pod> lost = simulation.failures().lost();
            missing.keySet().forEach(pod -> add(pod, cluster));
            lost.forEach(pod -> add(pod, cluster));
            cluster.pods().stream().filter(Waiting::isTrueOf).forEach(pod -> add(pod, cluster));
            Set<Pod> first = pods.values().stream()
                    .map(stuck -> stuck.stream().min(BY_NAME).orElseThrow())
                    .collect(Collectors.toSet());
            reasons.putAll(simulation
                    .failures()
                    .reasons(lost.stream().filter(first::contains).toList()));
            AlikePods.why(first, cluster, simulation::whyWaiting).forEach((pod, why) -> reasons.put(pod, words(why)));
            reasons.putAll(missing);
        }

        private static String words(Waiting waiting) {
            return waiting.state() == Waiting.State.NO_NODE ? "no node takes it: " + waiting.why() : waiting.why();
        }

        private void add(Pod pod, ClusterView cluster) {
            WorkloadName.of(pod, cluster)
                    .ifPresent(workload -> pods.computeIfAbsent(workload, _ -> new ArrayList<>())
                            .add(pod));
        }

        /** {@return why the first of the stuck pods of a workload is stuck, and how many others are} */
        String why(WorkloadName workload) {
            List<Pod> stuck = pods.getOrDefault(workload, List.of());
            return stuck.stream()
                    .min(BY_NAME)
                    .map(pod -> pod.name().name() + ": " + Objects.requireNonNull(reasons.get(pod))
                            + (stuck.size() > 1 ? " (" + (stuck.size() - 1) + " more stuck)" : ""))
                    .orElse("not all of its pods are Ready at the end");
        }
    }
}
