package dev.holdfast.operator.offline.loss;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.simulate.object.Zones;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.rule.Mode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Plays the failure of each zone of a cluster, one at a time, until all pods that can run elsewhere are Ready there.
 * The operator evicts nothing meanwhile.
 */
public final class ZoneFailures {
    /** The maximum number of failures that are played, each of which reads all objects again. */
    private static final int MOST_ZONES = 20;

    private final EngineSettings settings;
    private final SimulationInput input;
    private final Assumptions assumptions;
    private final Instant start;

    /** @param start the time of the failures */
    public ZoneFailures(EngineSettings settings, SimulationInput input, Assumptions assumptions, Instant start) {
        this.settings = settings;
        this.input = input;
        this.assumptions = assumptions;
        this.start = start;
    }

    /** {@return the failures in a cluster that was read} */
    public static ZoneFailures of(ReadCluster cluster, OperatorConfig config, Instant start) {
        return new ZoneFailures(
                config.engineSettings(),
                SimulationInput.of(cluster, cluster.policies()),
                Assumptions.defaults(),
                start);
    }

    /**
     * {@return the matrix of workloads and zones} Without a node in a zone, there is no zone and no state. Of many
     * zones, only those with the most pods are played.
     *
     * @param listed the namespaces whose workloads are listed
     * @param progress gets how many zones were played, as a part of a sentence; another thread may ask it
     */
    public ZonesReport report(Predicate<String> listed, Consumer<Supplier<String>> progress) {
        ClusterView cluster = simulation().cluster();
        List<String> all = Zones.of(cluster);
        List<String> zones = played(all, cluster);
        List<Map<WorkloadName, WorkloadLoss>> losses = new ArrayList<>();
        for (String zone : zones) {
            int played = losses.size();
            progress.accept(() -> "played the failure of " + played + " of " + Count.of(zones.size(), "zone"));
            losses.add(losses(zone));
        }
        List<ZonesReport.Workload> workloads = new ArrayList<>();
        ReadyPods.counts(cluster).forEach((workload, pods) -> {
            if (listed.test(workload.namespace())) {
                workloads.add(workload(workload, pods, zones, losses));
            }
        });
        workloads.sort(Comparator.comparing(ZonesReport.Workload::worst).reversed());
        return new ZonesReport(
                ZonesReport.API_VERSION,
                ZonesReport.KIND,
                summary(workloads),
                zones.stream()
                        .map(zone -> new ZonesReport.Zone(zone, nodes(cluster, zone)))
                        .toList(),
                workloads,
                List.of(),
                Stream.concat(leftOut(all.size() - zones.size()).stream(), withoutZone(cluster).stream())
                        .toList());
    }

    /** {@return the zones whose failures are played, in order: those with the most pods} */
    private static List<String> played(List<String> zones, ClusterView cluster) {
        Map<String, Integer> pods = new HashMap<>();
        Zones.nodes(cluster)
                .forEach(node -> node.labels()
                        .get(Zones.KEY)
                        .ifPresent(zone ->
                                pods.merge(zone, cluster.podsOn(node.name()).size(), Integer::sum)));
        return zones.stream()
                .sorted(Comparator.comparing((String zone) -> pods.getOrDefault(zone, 0))
                        .reversed())
                .limit(MOST_ZONES)
                .sorted()
                .toList();
    }

    private static Optional<String> leftOut(int zones) {
        return zones == 0
                ? Optional.empty()
                : Optional.of("the failures of " + Count.of(zones, "zone") + " are not played: only those of the "
                        + MOST_ZONES + " zones with the most pods are");
    }

    private static Optional<String> withoutZone(ClusterView cluster) {
        long without = Zones.nodes(cluster)
                .filter(node -> node.labels()
                        .get(Zones.KEY)
                        .filter(zone -> !zone.isEmpty())
                        .isEmpty())
                .count();
        return without == 0
                ? Optional.empty()
                : Optional.of(Count.of(without, "node") + (without == 1 ? " has" : " have") + " no label " + Zones.KEY
                        + ", and no failure of a zone takes " + (without == 1 ? "it" : "them"));
    }

    private Simulation simulation() {
        return new Simulation(settings, input, Mode.DISABLED, assumptions, start);
    }

    private Map<WorkloadName, WorkloadLoss> losses(String zone) {
        Simulation simulation = simulation();
        ReadyPods ready = ReadyPods.countedIn(simulation);
        Optional<String> problem = simulation.make(new Change.ChangeNodes(
                Change.Action.FAIL, List.of(new Change.Target("in zone " + zone, new Change.Selection.InZone(zone)))));
        if (problem.isPresent()) {
            throw new IllegalStateException(problem.get());
        }
        simulation.advanceToEnd();
        Map<WorkloadName, WorkloadLoss> losses = new HashMap<>();
        ready.losses().forEach(loss -> losses.put(loss.workload(), loss));
        return losses;
    }

    private static ZonesReport.Workload workload(
            WorkloadName workload, int pods, List<String> zones, List<Map<WorkloadName, WorkloadLoss>> losses) {
        List<ZonesReport.Failure> failures = new ArrayList<>();
        for (int i = 0; i < zones.size(); i++) {
            String zone = zones.get(i);
            failures.add(Optional.ofNullable(losses.get(i).get(workload))
                    .map(loss ->
                            new ZonesReport.Failure(zone, loss.state(), loss.left(), loss.why(), loss.worstMoment()))
                    .orElseGet(
                            () -> new ZonesReport.Failure(zone, WorkloadState.FINE, pods, "", WorstMoment.none(pods))));
        }
        return new ZonesReport.Workload(
                workload.namespace(),
                workload.kind(),
                workload.name(),
                pods,
                failures.stream()
                        .map(it -> it.worstMoment().state())
                        .max(Comparator.naturalOrder())
                        .orElse(WorkloadState.FINE),
                failures);
    }

    private static ZonesReport.Summary summary(List<ZonesReport.Workload> workloads) {
        return new ZonesReport.Summary(
                count(workloads, WorkloadState.FINE),
                count(workloads, WorkloadState.DEGRADED),
                count(workloads, WorkloadState.BELOW_BUDGET),
                count(workloads, WorkloadState.GONE));
    }

    private static int count(List<ZonesReport.Workload> workloads, WorkloadState state) {
        return (int) workloads.stream().filter(it -> it.worst() == state).count();
    }

    private static int nodes(ClusterView cluster, String zone) {
        return (int) Zones.nodes(cluster)
                .filter(node -> node.labels().has(Zones.KEY, zone))
                .count();
    }
}
