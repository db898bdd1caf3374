package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.engine.Script.There;
import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.policies.model.ClusterEvent;
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
import java.util.function.IntPredicate;
import java.util.function.Supplier;
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

    /**
     * {@return events that delete pods, and create pods of the same workloads on other nodes} Each event is timed by
     * itself.
     */
    Script replaced() {
        return replaced(this::isMeant);
    }

    private Script replaced(IntPredicate which) {
        return pods(
                which,
                number -> new There(
                        List.of(
                                There.turn(() -> new PodGone(world.pod(number).uid())),
                                There.turn(() -> new PodChanged(world.replacement(number, 1)))),
                        List.of(
                                There.turn(() ->
                                        new PodGone(world.replacement(number, 1).uid())),
                                There.turn(() -> new PodChanged(world.pod(number))))));
    }

    /** {@return events that change the value of a pod label that no rule reads} */
    Script relabelled() {
        return pods(
                this::isMeant,
                number -> changed(number, () -> labelled(number, "version", "canary-" + number % VERSIONS)));
    }

    /**
     * {@return events that change the label {@code app} of pods, as users do to debug a pod} Such a pod is no partner
     * of other pods any more.
     */
    Script estranged() {
        return pods(
                this::isMeant,
                number -> changed(
                        number,
                        () -> labelled(number, "app", world.workloadOf(number).app() + "-debug")));
    }

    /** {@return events that make pods unready and ready again} */
    Script status() {
        return pods(this::isMeant, number -> changed(number, () -> unready(world.pod(number))));
    }

    private static Pod unready(Pod pod) {
        PodLifecycle life = pod.life();
        return with(
                pod,
                pod.labels(),
                new PodLifecycle(
                        life.phase(),
                        false,
                        life.creationTime(),
                        life.boundTime(),
                        life.deletionTime(),
                        life.beingDisrupted()));
    }

    /** {@return events as in {@link #replaced}, for pods of the one big workload} */
    Script crowdReplaced() {
        return replaced(pod -> world.workloadOf(pod).app().equals(WorldWorkloads.CROWD));
    }

    /**
     * {@return whether events may change this pod} In a cluster where policies select only a few pods, events change
     * only the other pods.
     */
    private boolean isMeant(int pod) {
        return world.plan().shape() != Shape.MOSTLY_UNSELECTED
                || !world.isAudited(world.workloadOf(pod).namespace());
    }

    /** {@return events that delete and create the only partner of all pods of the big workload} */
    Script leader() {
        int number = world.podsIn(WorldWorkloads.CROWD).getFirst();
        return thereAndBack(Stream.of(
                There.single(() -> new PodGone(world.pod(number).uid()), () -> new PodChanged(world.pod(number)))));
    }

    /** {@return events that change the zone label of nodes with this many pods} */
    Script zones(int pods) {
        return thereAndBack(world.nodesWith(pods).stream()
                .limit(MOST_NODES)
                .map(node -> node(node, WorldNodes.ZONE, WorldNodes.zone(node + 1))));
    }

    /** {@return events that change the SSD label, which node affinity rules read, of nodes with this many pods} */
    Script disks(int pods) {
        return thereAndBack(world.nodesWith(pods).stream()
                .filter(world.worldNodes()::hasSsd)
                .limit(MOST_NODES)
                .map(node -> node(node, WorldNodes.DISK, "hdd")));
    }

    /** {@return events that rename a zone: all its nodes are relabelled in one turn} */
    Script zoneRenamed() {
        List<Integer> nodes = world.worldNodes().in(WorldNodes.zone(0));
        return thereAndBack(Stream.of(There.together(
                () -> nodes.stream()
                        .<ClusterEvent>map(
                                node -> new NodeChanged(world.worldNodes().node(node, WorldNodes.ZONE, "zone-renamed")))
                        .toList(),
                () -> nodes.stream()
                        .<ClusterEvent>map(
                                node -> new NodeChanged(world.worldNodes().node(node)))
                        .toList())));
    }

    /**
     * {@return events that change the team label of the big namespace, so that namespaceSelectors begin or cease to
     * match}
     */
    Script team() {
        String team = World.team(WorldWorkloads.BIG).equals("team-0") ? "team-1" : "team-0";
        return thereAndBack(Stream.of(There.single(
                () -> new NamespaceChanged(world.namespace(WorldWorkloads.BIG, team, true)),
                () -> new NamespaceChanged(world.namespace(WorldWorkloads.BIG)))));
    }

    /**
     * {@return events after which the cluster policies do not select the big namespace any more, and select it again}
     */
    Script audited() {
        return thereAndBack(Stream.of(There.single(
                () -> new NamespaceChanged(world.namespace(WorldWorkloads.BIG, World.team(WorldWorkloads.BIG), false)),
                () -> new NamespaceChanged(world.namespace(WorldWorkloads.BIG)))));
    }

    private There node(int number, String key, String value) {
        return There.single(
                () -> new NodeChanged(world.worldNodes().node(number, key, value)),
                () -> new NodeChanged(world.worldNodes().node(number)));
    }

    private Script pods(IntPredicate which, IntFunction<There> happening) {
        List<Integer> numbers = new ArrayList<>(
                IntStream.range(0, world.plan().pods()).filter(which).boxed().toList());
        Collections.shuffle(numbers, random());
        return thereAndBack(numbers.stream().limit(MOST_PODS).map(happening::apply));
    }

    private There changed(int number, Supplier<Pod> after) {
        return There.single(() -> new PodChanged(after.get()), () -> new PodChanged(world.pod(number)));
    }

    private Pod labelled(int number, String key, String value) {
        Pod pod = world.pod(number);
        Map<String, String> labels = pod.labels().toMap();
        labels.put(key, value);
        return with(pod, Labels.of(labels), pod.life());
    }

    private static Pod with(Pod pod, Labels labels, PodLifecycle life) {
        return new Pod(
                pod.uid(),
                pod.name(),
                pod.resourceVersion() + 1,
                labels,
                pod.nodeName(),
                pod.scheduling(),
                pod.podRequirements(),
                life,
                pod.victimProtection());
    }

    private Script thereAndBack(Stream<There> happenings) {
        return Script.thereAndBack(happenings, random());
    }

    private Random random() {
        return new Random(world.plan().seed());
    }
}
