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

/** The events of a world, as scripts. */
final class EventScripts {
    private static final int MOST_PODS = 30_000;
    private static final int MOST_NODES = 200;
    private static final int VERSIONS = 5;

    private final World world;

    EventScripts(World world) {
        this.world = world;
    }

    /** Pods are deleted, and others of their workloads are created on other nodes; each event is a turn. */
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

    /** Pods get another value of a label that no rule reads. */
    Script relabelled() {
        return pods(
                this::isMeant,
                number -> changed(number, () -> labelled(number, "version", "canary-" + number % VERSIONS)));
    }

    /** The {@code app} label of pods changes, as users do to debug one, so that they are partners of no other pod. */
    Script estranged() {
        return pods(
                this::isMeant,
                number -> changed(
                        number,
                        () -> labelled(number, "app", world.workloadOf(number).app() + "-debug")));
    }

    /** Pods become ready and unready. */
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

    /** As {@link #replaced}, with pods of the crowd. */
    Script crowdReplaced() {
        return replaced(pod -> world.workloadOf(pod).app().equals(WorldWorkloads.CROWD));
    }

    /** Where policies select only a few pods, the bench measures the others. */
    private boolean isMeant(int pod) {
        return world.plan().shape() != Shape.MOSTLY_UNSELECTED
                || !world.isAudited(world.workloadOf(pod).namespace());
    }

    /** The only partner of all pods of the crowd is deleted and created. */
    Script leader() {
        int number = world.podsIn(WorldWorkloads.CROWD).getFirst();
        return thereAndBack(Stream.of(
                There.single(() -> new PodGone(world.pod(number).uid()), () -> new PodChanged(world.pod(number)))));
    }

    /** Nodes with this many pods are relabelled from one zone to another. */
    Script zones(int pods) {
        return thereAndBack(world.nodesWith(pods).stream()
                .limit(MOST_NODES)
                .map(node -> node(node, WorldNodes.ZONE, WorldNodes.zone(node + 1))));
    }

    /** Nodes with this many pods lose their SSD label, which node rules read. */
    Script disks(int pods) {
        return thereAndBack(world.nodesWith(pods).stream()
                .filter(world.worldNodes()::hasSsd)
                .limit(MOST_NODES)
                .map(node -> node(node, WorldNodes.DISK, "hdd")));
    }

    /** A zone gets another name: all its nodes are relabelled, in one turn. */
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

    /** The big namespace changes its team label: terms with a namespaceSelector begin or cease to match it. */
    Script team() {
        String team = World.team(WorldWorkloads.BIG).equals("team-0") ? "team-1" : "team-0";
        return thereAndBack(Stream.of(There.single(
                () -> new NamespaceChanged(world.namespace(WorldWorkloads.BIG, team, true)),
                () -> new NamespaceChanged(world.namespace(WorldWorkloads.BIG)))));
    }

    /** The cluster policies cease to select the big namespace, and select it again. */
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
