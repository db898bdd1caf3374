package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.ClusterEvent.NamespaceChanged;
import dev.holdfast.policies.model.ClusterEvent.NodeChanged;
import dev.holdfast.policies.model.ClusterEvent.PodChanged;
import dev.holdfast.policies.model.ClusterEvent.PodGone;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The event sequences that the benchmarks use, for one generated cluster. */
final class EventScripts {
    private static final int MOST_PODS = 30_000;
    private static final int MOST_NODES = 200;
    private static final int VERSIONS = 5;

    private final World world;

    EventScripts(World world) {
        this.world = world;
    }

    /** {@return events that delete pods, and create pods of the same workloads on other nodes} */
    Script replaced() {
        return pods(number -> new Script.Change(
                List.of(() -> new PodGone(world.pod(number).uid()), () -> new PodChanged(world.replacement(number))),
                List.of(() -> new PodGone(world.replacement(number).uid()), () -> new PodChanged(world.pod(number)))));
    }

    /** {@return events that change the value of a pod label that no rule reads} */
    Script relabelled() {
        return pods(number -> changed(number, pod -> labelled(pod, "version", "canary-" + number % VERSIONS)));
    }

    /**
     * {@return events that change the label {@code app} of pods, as users do to debug a pod} Such a pod is no partner
     * of other pods any more.
     */
    Script estranged() {
        return pods(number -> {
            String app = world.workloadOf(number).app() + "-debug";
            return changed(number, pod -> labelled(pod, "app", app));
        });
    }

    /** {@return events that make pods unready and ready again} */
    Script status() {
        return pods(number -> changed(number, EventScripts::unready));
    }

    private static Pod unready(Pod pod) {
        PodLifecycle life = pod.life();
        return with(
                pod,
                pod.resourceVersion() + 1,
                new PodLifecycle(
                        life.phase(),
                        false,
                        life.creationTime(),
                        life.boundTime(),
                        life.deletionTime(),
                        life.beingDisrupted()));
    }

    /** {@return events that change the zone label of nodes with this many pods} */
    Script zones(int pods) {
        return script(world.nodesWith(pods).stream()
                .limit(MOST_NODES)
                .map(node -> node(node, WorldNodes.ZONE, WorldNodes.zone(node + 1))));
    }

    /** {@return events that change the SSD label, which node affinity rules read, of nodes with this many pods} */
    Script disks(int pods) {
        return script(world.nodesWith(pods).stream()
                .filter(world.nodes()::hasSsd)
                .limit(MOST_NODES)
                .map(node -> node(node, WorldNodes.DISK, "hdd")));
    }

    /**
     * {@return events that change the team label of the big namespace, so that namespaceSelectors begin or cease to
     * match}
     */
    Script team() {
        String team = World.team(WorldWorkloads.BIG).equals("team-0") ? "team-1" : "team-0";
        return namespace(team, true);
    }

    /**
     * {@return events after which the cluster policies do not select the big namespace any more, and select it again}
     */
    Script audited() {
        return namespace(World.team(WorldWorkloads.BIG), false);
    }

    private Script namespace(String team, boolean audited) {
        return script(Stream.of(Script.Change.single(
                () -> new NamespaceChanged(World.namespace(WorldWorkloads.BIG, team, audited)),
                () -> new NamespaceChanged(world.namespace(WorldWorkloads.BIG)))));
    }

    private Script.Change node(int number, String key, String value) {
        return Script.Change.single(
                () -> new NodeChanged(world.nodes().node(number, 2, Map.of(key, value))),
                () -> new NodeChanged(world.nodes().node(number)));
    }

    /** In a cluster where policies select only a few pods, events change only the other pods. */
    private Script pods(IntFunction<Script.Change> change) {
        List<Integer> numbers = new ArrayList<>(IntStream.range(0, world.plan().pods())
                .filter(pod -> world.plan().auditedOneIn() == 1
                        || !world.isAudited(world.workloadOf(pod).namespace()))
                .boxed()
                .toList());
        Collections.shuffle(numbers, new Random(1));
        return script(numbers.stream().limit(MOST_PODS).map(change::apply));
    }

    private Script.Change changed(int number, UnaryOperator<Pod> change) {
        return Script.Change.single(
                () -> new PodChanged(change.apply(world.pod(number))), () -> new PodChanged(world.pod(number)));
    }

    private static Pod labelled(Pod pod, String key, String value) {
        Map<String, String> labels = pod.labels().toMap();
        labels.put(key, value);
        return with(pod.withLabels(Labels.of(labels)), pod.resourceVersion() + 1, pod.life());
    }

    /** {@return a later version of a pod} */
    static Pod with(Pod pod, long version, PodLifecycle life) {
        return new Pod(
                pod.uid(),
                pod.name(),
                version,
                pod.labels(),
                pod.nodeName(),
                pod.scheduling(),
                pod.podRequirements(),
                life,
                pod.victimProtection());
    }

    private static Script script(Stream<Script.Change> changes) {
        List<Script.Change> order = new ArrayList<>(changes.toList());
        Collections.shuffle(order, new Random(1));
        return new Script(order);
    }
}
