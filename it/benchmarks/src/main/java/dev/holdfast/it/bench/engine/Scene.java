package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.engine.SceneTiming.Goals;
import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.policies.model.ClusterEvent;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One benchmark scenario: events of one kind in a generated cluster of one shape.
 *
 * @param section the group of figures in the report: a performance target, such as P1, or another short name
 * @param name the unique name, such as {@code pod-replaced}
 * @param what a short description of the event
 * @param subject whether the index or the whole engine receives the events
 * @param events makes the event sequence for a cluster of the shape
 */
record Scene(
        String section,
        String name,
        String what,
        Shape shape,
        Goals goals,
        Subject subject,
        Function<EventScripts, Script> events) {
    private static final String REPLACED = "pod deleted, or another added elsewhere";
    private static final String LEADER = "the crowd's only partner deleted, or added";
    private static final String STATUS = "status of a pod only";
    private static final String ZONE_110 = "zone of a node with 110 pods";
    private static final String NO_READER = "pod relabelled, no rule reads it";
    private static final String STRANGER = "pod relabelled out of its workload";
    private static final String TEAM = "namespace relabelled, terms read it";
    private static final String AUDITED = "namespace relabelled, policies read it";

    private static final List<Scene> ALL = List.of(
            usual("P1", "pod-replaced", REPLACED, Goals.ONE_POD, EventScripts::replaced),
            usual("P1", "pod-relabelled", NO_READER, Goals.ONE_POD, EventScripts::relabelled),
            usual("P1", "pod-estranged", STRANGER, Goals.ONE_POD, EventScripts::estranged),
            usual("P1", "pod-status", STATUS, Goals.ONE_POD, EventScripts::status),
            usual("P2", "zone-30", "zone of a node with 30 pods", Goals.NODE_30, it -> it.zones(WorldNodes.USUAL)),
            usual(
                    "P2",
                    "label-30",
                    "disk label of a node with 30 pods",
                    Goals.NODE_30,
                    it -> it.disks(WorldNodes.USUAL)),
            usual("P2", "zone-110", ZONE_110, Goals.NODE_110, it -> it.zones(WorldNodes.FULL)),
            usual(
                    "P2",
                    "label-110",
                    "disk label of a node with 110 pods",
                    Goals.NODE_110,
                    it -> it.disks(WorldNodes.FULL)),
            usual("P3", "namespace-team", TEAM, Goals.NAMESPACE, EventScripts::team),
            usual("P3", "namespace-audited", AUDITED, Goals.NAMESPACE, EventScripts::audited),
            whole("step-status", STATUS, Goals.STEP, EventScripts::status),
            whole("step-replaced", REPLACED, Goals.STEP, EventScripts::replaced),
            whole("step-zone-110", ZONE_110, Goals.NODE_110, it -> it.zones(WorldNodes.FULL)),
            whole("step-crowd-leader", LEADER, Goals.NONE, EventScripts::leader),
            shape("crowd", "pod of a crowd under one term deleted, or added", Shape.USUAL, EventScripts::crowdReplaced),
            shape("crowd-leader", LEADER, Shape.USUAL, EventScripts::leader),
            shape(
                    "every-pod-matched",
                    "pod deleted, or added: a term matches every pod",
                    Shape.EVERY_POD_MATCHED,
                    EventScripts::replaced),
            shape(
                    "unique-replaced",
                    "pod deleted, or added: labels of each unique",
                    Shape.UNIQUE_LABELS,
                    EventScripts::replaced),
            shape(
                    "unique-estranged",
                    "pod relabelled, labels of each unique",
                    Shape.UNIQUE_LABELS,
                    EventScripts::estranged),
            usual("shapes", "zone-renamed", "zone renamed, all its nodes", Goals.NONE, EventScripts::zoneRenamed),
            unselected("unselected-replaced", "pod deleted, or added", EventScripts::replaced),
            unselected("unselected-estranged", "pod relabelled", EventScripts::estranged),
            unselected("unselected-status", STATUS, EventScripts::status));

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

    /** {@return all scenes, in the order of the report} */
    static List<Scene> all() {
        return ALL;
    }

    private static Scene usual(
            String section, String name, String what, Goals goals, Function<EventScripts, Script> events) {
        return new Scene(section, name, what, Shape.USUAL, goals, Subject.INDEX, events);
    }

    private static Scene shape(String name, String what, Shape shape, Function<EventScripts, Script> events) {
        return new Scene("shapes", name, what, shape, Goals.ONE_POD, Subject.INDEX, events);
    }

    private static Scene unselected(String name, String what, Function<EventScripts, Script> events) {
        return new Scene("unselected", name, what, Shape.MOSTLY_UNSELECTED, Goals.ONE_POD, Subject.INDEX, events);
    }

    private static Scene whole(String name, String what, Goals goals, Function<EventScripts, Script> events) {
        return new Scene("engine", name, "whole engine: " + what, Shape.USUAL, goals, Subject.ENGINE, events);
    }

    /**
     * {@return the scene with this name}
     *
     * @throws IllegalArgumentException if no scene has the name
     */
    static Scene named(String name) {
        return ALL.stream()
                .filter(scene -> scene.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scene " + name));
    }

    Script script(World world) {
        return events.apply(new EventScripts(world));
    }
}
