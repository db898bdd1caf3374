package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One benchmark scenario: turns of one kind in a generated cluster. A turn is what is timed as one: an event, or a new
 * policy.
 *
 * @param section the group of figures in the report: a goal, such as P1, or another short name
 * @param name the unique name, such as {@code pod-replaced}
 * @param what a short description of the turn
 * @param auditedOneIn policies select the pods of one namespace in this many
 * @param turns loads a generated cluster into the index or the engine, and returns what makes the next turns ready
 */
record Scene(
        String section,
        String name,
        String what,
        Goals goals,
        int auditedOneIn,
        Function<World, Supplier<List<Runnable>>> turns) {
    private static final String REPLACED = "pod deleted, or another added elsewhere";
    private static final String STATUS = "status of a pod only";
    private static final String ZONE_30 = "zone of a node with 30 pods";
    private static final String ZONE_110 = "zone of a node with 110 pods";
    private static final String NO_READER = "pod relabelled, no rule reads it";
    private static final String STRANGER = "pod relabelled out of its workload";
    private static final String TEAM = "namespace relabelled, terms read it";
    private static final String AUDITED = "namespace relabelled, policies read it";
    private static final int TURNS_MADE_TOGETHER = 16;
    private static final int FEW_AUDITED = 10;

    private static final List<Scene> ALL = all();

    /** The goals of the figures of a scene, in microseconds; 0 for a figure without a goal. */
    record Goals(double cost, double median, double p99) {
        static final Goals NONE = new Goals(0, 0, 0);

        /** The goals for a change of one pod, if only the index handles it. */
        private static final Goals ONE_POD = new Goals(5, 0, 20);

        /** The goal for a change of one pod, if the whole engine handles it: the index, and what decides on moves. */
        private static final Goals STEP = new Goals(0, 0, 20);

        private static final Goals NODE_30 = new Goals(0, 0, 250);
        private static final Goals NODE_110 = new Goals(0, 0, 1_000);

        /** The goal for a change of the labels of a namespace with 3,000 pods. */
        private static final Goals NAMESPACE = new Goals(0, 10_000, 0);

        /** The goal for a new policy that selects 150,000 pods. */
        private static final Goals POLICY = new Goals(0, 150_000, 0);

        /** {@return the figure with this limit as its goal; the same figure if the limit is 0} */
        Figure of(double limit, Figure figure) {
            return limit == 0 ? figure : figure.atMost(limit);
        }
    }

    private static List<Scene> all() {
        List<Scene> all = new ArrayList<>(List.of(
                ofIndex("P1", "pod-replaced", REPLACED, Goals.ONE_POD, EventScripts::replaced),
                ofIndex("P1", "pod-relabelled", NO_READER, Goals.ONE_POD, EventScripts::relabelled),
                ofIndex("P1", "pod-estranged", STRANGER, Goals.ONE_POD, EventScripts::estranged),
                ofIndex("P1", "pod-status", STATUS, Goals.ONE_POD, EventScripts::status),
                ofIndex("P2", "zone-30", ZONE_30, Goals.NODE_30, it -> it.zones(WorldNodes.USUAL)),
                ofIndex("P2", "label-30", "disk label, 30 pods", Goals.NODE_30, it -> it.disks(WorldNodes.USUAL)),
                ofIndex("P2", "zone-110", ZONE_110, Goals.NODE_110, it -> it.zones(WorldNodes.FULL)),
                ofIndex("P2", "label-110", "disk label, 110 pods", Goals.NODE_110, it -> it.disks(WorldNodes.FULL)),
                ofIndex("P3", "namespace-team", TEAM, Goals.NAMESPACE, EventScripts::team),
                ofIndex("P3", "namespace-audited", AUDITED, Goals.NAMESPACE, EventScripts::audited)));
        for (RuleKind kind : RuleKind.values()) {
            String what = "new policy for every pod, " + kind.label();
            all.add(new Scene("P3", "policy-" + kind.label(), what, Goals.POLICY, 1, world -> policies(world, kind)));
        }
        all.add(ofEngine("step-status", STATUS, Goals.STEP, EventScripts::status));
        all.add(ofEngine("step-replaced", REPLACED, Goals.STEP, EventScripts::replaced));
        all.add(ofEngine("step-zone-110", ZONE_110, Goals.NODE_110, it -> it.zones(WorldNodes.FULL)));
        all.add(unselected("unselected-replaced", "unselected pod deleted, or added", EventScripts::replaced));
        all.add(unselected("unselected-status", "status of an unselected pod", EventScripts::status));
        return List.copyOf(all);
    }

    /** {@return all scenes whose name contains a text, in the order of the report} */
    static List<Scene> all(String text) {
        return ALL.stream().filter(scene -> scene.name().contains(text)).toList();
    }

    /** {@return the scene with this name, which must exist} */
    static Scene named(String name) {
        return ALL.stream()
                .filter(scene -> scene.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scene " + name));
    }

    private static Scene ofIndex(
            String section, String name, String what, Goals goals, Function<EventScripts, Script> events) {
        return new Scene(section, name, what, goals, 1, world -> played(world, events, world.load()::apply));
    }

    private static Scene unselected(String name, String what, Function<EventScripts, Script> events) {
        return new Scene(
                "unselected",
                name,
                what,
                Goals.ONE_POD,
                FEW_AUDITED,
                world -> played(world, events, world.load()::apply));
    }

    private static Scene ofEngine(String name, String what, Goals goals, Function<EventScripts, Script> events) {
        return new Scene(
                "engine",
                name,
                "whole engine: " + what,
                goals,
                1,
                world -> played(world, events, ClockedEngine.auditing(world)));
    }

    private static Supplier<List<Runnable>> played(
            World world, Function<EventScripts, Script> events, Consumer<ClusterEvent> subject) {
        Script script = events.apply(new EventScripts(world));
        return () -> {
            List<Runnable> turns = new ArrayList<>();
            for (int i = 0; i < TURNS_MADE_TOGETHER; i++) {
                ClusterEvent event = script.next();
                turns.add(() -> subject.accept(event));
            }
            return turns;
        };
    }

    /** {@return turns that each add the same policy, which is removed before without being measured} */
    private static Supplier<List<Runnable>> policies(World world, RuleKind kind) {
        Index index = world.load();
        Policy policy = WorldPolicies.further(kind);
        return () -> {
            index.remove(policy.id());
            return List.of(() -> index.put(policy));
        };
    }

    /** {@return what makes the next turns ready in a generated cluster} */
    Supplier<List<Runnable>> load(World world) {
        return turns.apply(world);
    }
}
