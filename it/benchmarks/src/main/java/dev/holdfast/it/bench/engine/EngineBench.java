package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import dev.holdfast.policies.rule.RuleKind;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The bench {@code it/bench engine}: the time and memory of the incremental index and of the engine. It needs no
 * cluster.
 */
public final class EngineBench {
    static final int REPLICAS = 15;

    /** The name of the measurement of due pods that wait for a node. */
    static final String PRESSURE = "pressure";

    /** The name of the measurement of violations of all pods. */
    static final String VIOLATIONS = "violations";

    /** How many pods of a generated cluster need a heap of one GiB, including room for events. */
    static final int PODS_PER_GIB = 150_000;

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

    private final Path root;
    private final EngineOptions options;
    private final InstantSource clock;
    private final Consumer<String> progress;

    /**
     * @param root the root folder of the repository
     * @param progress gets a line of text for each step
     */
    public EngineBench(Path root, EngineOptions options, InstantSource clock, Consumer<String> progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    /** Measures everything and returns the report. */
    public Report run() {
        RunInfo run = RunInfo.now("engine", root, options, clock);
        EngineMeasurements measurements = measure();
        return new Report(run, measurements.figures(), measurements);
    }

    EngineMeasurements measure() {
        List<SceneTiming> events = events();
        List<SceneTiming> million = new ArrayList<>();
        List<HeapSize> heaps = new ArrayList<>();
        List<ChurnRun> churn = new ArrayList<>();
        List<PressureRun> pressure = PRESSURE.contains(options.only()) ? pressure() : List.of();
        List<ViolationsRun> violations = VIOLATIONS.contains(options.only()) ? violations() : List.of();
        if (options.only().isEmpty()) {
            heaps.addAll(heaps());
            progress.accept(
                    String.format(Locale.ROOT, "%,d events with labels that never come again", options.churnEvents()));
            churn.add(new ChurnBench(churnWorld(), clock).run(options.churnEvents()));
        }
        if (options.million()) {
            million.addAll(million());
            progress.accept("the heap of a million pods");
            heaps.add(new HeapBench(clock).collected("a million pods", millionPlan()));
        }
        return new EngineMeasurements(events, million, heaps, churn, pressure, violations);
    }

    private List<SceneTiming> events() {
        EventBench bench = new EventBench(options);
        List<SceneTiming> figures = new ArrayList<>();
        for (Scene scene : Scene.all()) {
            if (scene.name().contains(options.only())) {
                progress.accept(scene.name() + ": " + scene.what());
                figures.add(bench.measure(scene));
            }
        }
        for (RuleKind kind : RuleKind.values()) {
            if (EventBench.policy(kind).contains(options.only())) {
                progress.accept(EventBench.policy(kind) + ": a new policy for every pod");
                figures.add(bench.measurePolicy(kind));
            }
        }
        figures.sort(Comparator.comparing(SceneTiming::section));
        return figures;
    }

    private List<HeapSize> heaps() {
        HeapBench bench = new HeapBench(clock);
        progress.accept("the heap of all pods under policies, of pods no policy selects, of pods with unique labels");
        return List.of(
                bench.walked("usual", world(Shape.USUAL, 1)),
                bench.walkedUnselected("usual, no policies", world(Shape.USUAL, PART)),
                bench.walked("labels of each pod unique", world(Shape.UNIQUE_LABELS, PART)));
    }

    private List<PressureRun> pressure() {
        PressureBench bench = new PressureBench(world(Shape.USUAL, 1), options.pressureSeconds());
        List<PressureRun> runs = new ArrayList<>();
        for (int pods : PressureBench.SIZES) {
            if (pods <= options.pods() / PART) {
                for (int rate : PressureBench.RATES) {
                    progress.accept(String.format(
                            Locale.ROOT, "%s: %,d due pods, %,d pod events a second", PRESSURE, pods, rate));
                    runs.add(bench.run(pods, rate));
                }
            }
        }
        return runs;
    }

    private List<ViolationsRun> violations() {
        progress.accept(VIOLATIONS + ": the heap while every pod violates a rule");
        return List.of(ViolationsRun.measure(world(Shape.USUAL, 1)));
    }

    private World world(Shape shape, int part) {
        int nodes = Math.max(WorldPlan.FEWEST_NODES, options.nodes() / part);
        int pods = Math.max(nodes * WorldNodes.USUAL, options.pods() / part);
        return World.of(new WorldPlan(pods, nodes, REPLICAS, shape, options.seed()));
    }

    private World churnWorld() {
        int pods = Math.min(CHURN_PODS, options.pods());
        int nodes = Math.min(CHURN_NODES, options.nodes());
        return World.of(new WorldPlan(pods, nodes, REPLICAS, Shape.USUAL, options.seed()));
    }

    private WorldPlan millionPlan() {
        return new WorldPlan(MILLION, MILLION_NODES, MILLION_REPLICAS, Shape.USUAL, options.seed());
    }

    private List<SceneTiming> million() {
        EventBench bench = new EventBench(options);
        List<SceneTiming> figures = new ArrayList<>();
        for (Scene scene : Scene.all()) {
            if (scene.section().equals("P1")) {
                progress.accept("a million pods, " + scene.name() + ": " + scene.what());
                figures.add(bench.measure(scene, "P4", millionPlan()));
            }
        }
        return figures;
    }
}
