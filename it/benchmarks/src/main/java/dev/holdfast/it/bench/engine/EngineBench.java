package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.engine.SceneTiming.Goals;
import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.it.bench.report.Bench;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.rule.RuleKind;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The bench {@code it/bench engine}: the time and memory of the incremental index and of the engine. It needs no
 * cluster.
 */
@Command(
        name = "engine",
        description = "Measures the incremental index and the engine with JMH and JOL: the cost of events of all kinds"
                + " in a generated cluster, the heap for each pod, and whether deleted objects leave anything"
                + " behind. No cluster is needed. About eleven minutes by default. Nothing else should run on the"
                + " machine meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class EngineBench extends Bench {
    /** The average replicas of a workload. */
    private static final int REPLICAS = 15;

    private static final String PRESSURE = "pressure";
    private static final String VIOLATIONS = "violations";
    private static final String EDITS = "edits";
    private static final int PRESSURE_SECONDS = 60;
    private static final int QUICK_PODS = 3_000;
    private static final int QUICK_NODES = 100;
    private static final int QUICK_MILLIS = 20;
    private static final int QUICK_EVENTS = 20_000;
    private static final int MILLION = 1_000_000;
    private static final int MILLION_NODES = 100_000;

    /** The average replicas of a workload in the cluster of a million pods, which then has 50,000 different rules. */
    private static final int MILLION_REPLICAS = 20;

    /**
     * The divisor for the number of pods in some clusters: JOL is slow, and the bytes per pod are the same with fewer
     * pods.
     */
    private static final int PART = 5;

    private static final int CHURN_NODES = 1_000;
    private static final int CHURN_PODS = 30_000;

    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--only",
            defaultValue = "",
            description = "Measures only scenes whose name contains this text, and no heap.")
    private String only = "";

    @Option(
            names = "--forks",
            defaultValue = "1",
            description = "JVMs for each scene, one after the other. Default: ${DEFAULT-VALUE}.")
    private int forks;

    @Option(
            names = "--iterations",
            defaultValue = "5",
            description = "Iterations in each JVM. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(
            names = "--iteration-millis",
            defaultValue = "1000",
            description = "Length of each iteration. Default: ${DEFAULT-VALUE}.")
    private int iterationMillis;

    @Option(
            names = "--events",
            defaultValue = "10000000",
            description = "Events with labels that never occur twice. Default: ${DEFAULT-VALUE}.")
    private long events;

    @Option(names = "--million", description = "Also measures 1,000,000 pods on 100,000 nodes.")
    private boolean million;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the generated cluster. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--quick",
            description = "Takes all figures within seconds, to test the bench itself: the figures mean nothing.")
    private boolean quick;

    /** @param root the built repository */
    public EngineBench(Path root, InstantSource clock) {
        super(root, clock);
    }

    @Override
    protected void adjustOptions() {
        if (quick) {
            pods = QUICK_PODS;
            nodes = QUICK_NODES;
            forks = 0;
            iterations = 1;
            iterationMillis = QUICK_MILLIS;
            events = QUICK_EVENTS;
        }
    }

    @Override
    protected void measure(Report report) {
        EventBench bench = new EventBench(forks, iterations, iterationMillis);
        List<SceneTiming> usual = report.raw("events", events(bench));
        usual.forEach(timing -> timing.figures().forEach(report::add));
        if (million) {
            million(bench, usual, report);
        }
        if (only.isEmpty()) {
            heaps(report);
        }
        if (PRESSURE.contains(only)) {
            pressure(report);
        }
        if (VIOLATIONS.contains(only)) {
            say(VIOLATIONS + ": the heap while every pod violates a rule");
            report.raw(VIOLATIONS, ViolationsRun.measure(world(Shape.USUAL, 1)))
                    .figures()
                    .forEach(report::add);
        }
        if (EDITS.contains(only)) {
            say(EDITS + ": annotations and policies that tenants change while every pod violates a rule");
            report.raw(EDITS, TenantEdits.measure(world(Shape.USUAL, 1)))
                    .figures()
                    .forEach(report::add);
        }
    }

    private List<SceneTiming> events(EventBench bench) {
        WorldPlan plan = plan(Shape.USUAL, pods, nodes);
        List<SceneTiming> timings = new ArrayList<>();
        for (Scene scene : Scene.all()) {
            if (scene.name().contains(only)) {
                say(scene.name() + ": " + scene.what());
                timings.add(bench.measure(scene, scene.section(), scene.goals(), plan));
            }
        }
        for (RuleKind kind : RuleKind.values()) {
            if (EventBench.policy(kind).contains(only)) {
                say(EventBench.policy(kind) + ": a new policy for every pod");
                timings.add(bench.measurePolicy(kind, plan));
            }
        }
        timings.sort(Comparator.comparing(SceneTiming::section));
        return timings;
    }

    private void million(EventBench bench, List<SceneTiming> usual, Report report) {
        WorldPlan plan = new WorldPlan(MILLION, MILLION_NODES, MILLION_REPLICAS, Shape.USUAL, seed);
        List<SceneTiming> timings = new ArrayList<>();
        for (Scene scene : Scene.all()) {
            if (scene.section().equals("P1")) {
                say("a million pods, " + scene.name() + ": " + scene.what());
                timings.add(bench.measure(scene, "P4", Goals.NONE, plan));
            }
        }
        report.raw("million", timings).forEach(timing -> timing.figures().forEach(report::add));
        timings.forEach(timing -> usual.stream()
                .filter(fewer -> fewer.scene().equals(timing.scene()))
                .map(fewer -> Figure.of(
                        "P4",
                        timing.what() + ", mean cost relative to that above",
                        timing.cost() / fewer.cost(),
                        Unit.TIMES))
                .forEach(figure -> report.add(figure.against(Target.atMost(2, 1.1)))));
        say("the heap of a million pods");
        heap("heap of a million pods", HeapBench.collected("a million pods", plan, clock()), report);
    }

    private void heaps(Report report) {
        say("the heap of all pods under policies, of pods no policy selects, of pods with unique labels");
        heap("heap", HeapBench.walked("usual", world(Shape.USUAL, 1), World::load, clock()), report);
        heap(
                "heap without policies",
                HeapBench.walked("usual, no policies", world(Shape.USUAL, PART), World::loadWithoutPolicies, clock()),
                report);
        heap(
                "heap of unique labels",
                HeapBench.walked("labels of each pod unique", world(Shape.UNIQUE_LABELS, PART), World::load, clock()),
                report);
        say(String.format(Locale.ROOT, "%,d events with labels that never come again", events));
        World world = World.of(plan(Shape.USUAL, Math.min(CHURN_PODS, pods), Math.min(CHURN_NODES, nodes)));
        report.raw("churn", new ChurnBench(world, clock()).run(events))
                .figures()
                .forEach(report::add);
    }

    private static void heap(String name, HeapBench heap, Report report) {
        report.raw(name, heap).figures().forEach(report::add);
    }

    private void pressure(Report report) {
        PressureBench bench = new PressureBench(world(Shape.USUAL, 1), quick ? 1 : PRESSURE_SECONDS);
        List<PressureBench.Run> runs = report.raw(PRESSURE, new ArrayList<>());
        for (int due : PressureBench.SIZES) {
            for (int rate : due <= pods / PART ? PressureBench.RATES : List.<Integer>of()) {
                say(String.format(Locale.ROOT, "%s: %,d due pods, %,d pod events a second", PRESSURE, due, rate));
                runs.add(bench.run(due, rate));
                runs.getLast().figures().forEach(report::add);
            }
        }
    }

    private World world(Shape shape, int part) {
        int fewer = Math.max(WorldPlan.FEWEST_NODES, nodes / part);
        return World.of(plan(shape, Math.max(fewer * WorldNodes.USUAL, pods / part), fewer));
    }

    private WorldPlan plan(Shape shape, int somePods, int someNodes) {
        return new WorldPlan(somePods, someNodes, REPLICAS, shape, seed);
    }
}
