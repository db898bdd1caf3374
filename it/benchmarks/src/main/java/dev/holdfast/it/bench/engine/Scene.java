package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.policies.model.ClusterEvent;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One benchmark scenario: events of one kind in a generated cluster of one shape.
 *
 * @param section the group of figures in the report: a performance target, such as P1, or another short name
 * @param name the unique name, such as {@code pod-replaced}
 * @param what a short description of the event
 * @param targets the targets of the figures, in microseconds and bytes; may be empty
 * @param subject whether the index or the whole engine receives the events
 * @param script makes the event sequence for a cluster of the shape
 */
record Scene(
        String section,
        String name,
        String what,
        Shape shape,
        Map<Statistic, Target> targets,
        Subject subject,
        Function<EventScripts, Script> script) {
    /** What receives the events: the index alone or the whole engine. */
    enum Subject {
        INDEX,
        ENGINE;

        /** {@return a new index or engine that has loaded a generated cluster} */
        Consumer<ClusterEvent> load(World world) {
            return switch (this) {
                case INDEX -> world.load(new VerdictCounter())::apply;
                case ENGINE -> new WholeEngine(world);
            };
        }
    }

    Scene {
        targets = Map.copyOf(targets);
    }

    /** {@return all scenes, in the order of the report} */
    static List<Scene> all() {
        return List.of(
                usual(
                        "P1",
                        "pod-replaced",
                        "pod deleted, or another added elsewhere",
                        Targets.ONE_POD,
                        EventScripts::replaced),
                usual(
                        "P1",
                        "pod-relabelled",
                        "pod relabelled, no rule reads it",
                        Targets.ONE_POD,
                        EventScripts::relabelled),
                usual(
                        "P1",
                        "pod-estranged",
                        "pod relabelled out of its workload",
                        Targets.ONE_POD,
                        EventScripts::estranged),
                usual("P1", "pod-status", "status of a pod only", Targets.ONE_POD, EventScripts::status),
                usual(
                        "P2",
                        "zone-30",
                        "zone of a node with 30 pods",
                        Targets.NODE_30,
                        it -> it.zones(WorldNodes.USUAL)),
                usual(
                        "P2",
                        "label-30",
                        "disk label of a node with 30 pods",
                        Targets.NODE_30,
                        it -> it.disks(WorldNodes.USUAL)),
                usual(
                        "P2",
                        "zone-110",
                        "zone of a node with 110 pods",
                        Targets.NODE_110,
                        it -> it.zones(WorldNodes.FULL)),
                usual(
                        "P2",
                        "label-110",
                        "disk label of a node with 110 pods",
                        Targets.NODE_110,
                        it -> it.disks(WorldNodes.FULL)),
                usual(
                        "P3",
                        "namespace-team",
                        "namespace relabelled, terms read it",
                        Targets.NAMESPACE,
                        EventScripts::team),
                usual(
                        "P3",
                        "namespace-audited",
                        "namespace relabelled, policies read it",
                        Targets.NAMESPACE,
                        EventScripts::audited),
                whole("step-status", "status of a pod only", Targets.STEP, EventScripts::status),
                whole("step-replaced", "pod deleted, or another added elsewhere", Targets.STEP, EventScripts::replaced),
                whole(
                        "step-zone-110",
                        "zone of a node with 110 pods",
                        Targets.NODE_110,
                        it -> it.zones(WorldNodes.FULL)),
                whole(
                        "step-crowd-leader",
                        "the crowd's only partner deleted, or added",
                        Map.of(),
                        EventScripts::leader),
                usual(
                        "shapes",
                        "crowd",
                        "pod of a crowd under one term deleted, or added",
                        Targets.ONE_POD,
                        EventScripts::crowdReplaced),
                usual(
                        "shapes",
                        "crowd-leader",
                        "the crowd's only partner deleted, or added",
                        Targets.ONE_POD,
                        EventScripts::leader),
                new Scene(
                        "shapes",
                        "every-pod-matched",
                        "pod deleted, or added: a term matches every pod",
                        Shape.EVERY_POD_MATCHED,
                        Targets.ONE_POD,
                        Subject.INDEX,
                        EventScripts::replaced),
                unique("unique-replaced", "pod deleted, or added: labels of each unique", EventScripts::replaced),
                unique("unique-estranged", "pod relabelled, labels of each unique", EventScripts::estranged),
                usual("shapes", "zone-renamed", "zone renamed, all its nodes", Map.of(), EventScripts::zoneRenamed),
                unselected("unselected-replaced", "pod deleted, or added", EventScripts::replaced),
                unselected("unselected-estranged", "pod relabelled", EventScripts::estranged),
                unselected("unselected-status", "status of a pod only", EventScripts::status));
    }

    private static Scene usual(
            String section,
            String name,
            String what,
            Map<Statistic, Target> targets,
            Function<EventScripts, Script> script) {
        return new Scene(section, name, what, Shape.USUAL, targets, Subject.INDEX, script);
    }

    private static Scene unique(String name, String what, Function<EventScripts, Script> script) {
        return new Scene("shapes", name, what, Shape.UNIQUE_LABELS, Targets.ONE_POD, Subject.INDEX, script);
    }

    private static Scene unselected(String name, String what, Function<EventScripts, Script> script) {
        return new Scene("unselected", name, what, Shape.MOSTLY_UNSELECTED, Targets.ONE_POD, Subject.INDEX, script);
    }

    private static Scene whole(
            String name, String what, Map<Statistic, Target> targets, Function<EventScripts, Script> script) {
        return new Scene("engine", name, "whole engine: " + what, Shape.USUAL, targets, Subject.ENGINE, script);
    }

    /**
     * {@return the scene with this name}
     *
     * @throws IllegalArgumentException if no scene has the name
     */
    static Scene named(String name) {
        return all().stream()
                .filter(scene -> scene.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scene " + name));
    }

    Script script(World world) {
        return script.apply(new EventScripts(world));
    }
}
