package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Bench;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
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

    private static final int PRESSURE_SECONDS = 60;
    private static final int QUICK_PODS = 3_000;
    private static final int QUICK_NODES = 100;
    private static final long EVENTS = 10_000_000;
    private static final long QUICK_EVENTS = 20_000;

    /** A cluster of a million pods, which has 50,000 different rules. */
    private static final WorldPlan MILLION = new WorldPlan(1_000_000, 100_000, 20, 1);

    /** Only a run with at least this many times as many pods measures due pods. */
    private static final int PODS_PER_DUE_POD = 5;

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

    @Option(names = "--million", description = "Also measures 1,000,000 pods on 100,000 nodes.")
    private boolean million;

    @Option(
            names = "--quick",
            description = "Takes all figures within seconds, to test the bench itself: the figures mean nothing.")
    private boolean quick;

    /** @param root the built repository */
    public EngineBench(Path root, InstantSource clock) {
        super(root, clock);
    }

    @Override
    protected void measure(Report report) throws IOException {
        if (quick) {
            pods = QUICK_PODS;
            nodes = QUICK_NODES;
            // By default JMH refuses to run twice at a time on a machine.
            System.setProperty("jmh.ignoreLock", "true");
        }
        scenes(report);
        WorldPlan plan = new WorldPlan(pods, nodes, REPLICAS, 1);
        if (only.isEmpty()) {
            say("the heap of all pods");
            report.add(HeapUse.counted(plan));
            long events = quick ? QUICK_EVENTS : EVENTS;
            say(String.format(Locale.ROOT, "%,d events with labels that never come again", events));
            WorldPlan small = new WorldPlan(Math.min(CHURN_PODS, pods), Math.min(CHURN_NODES, nodes), REPLICAS, 1);
            report.add(new ChurnBench(new World(small)).run(events));
        }
        if ("pressure".contains(only)) {
            pressure(new World(plan), report);
        }
        if ("violations".contains(only)) {
            say("violations: the heap while every pod violates a rule");
            report.add(HeapUse.ofViolations(new World(plan)));
        }
        if ("edits".contains(only)) {
            say("edits: annotations and policies that tenants change while every pod violates a rule");
            report.add(new TenantEdits(new World(plan)).measure());
        }
    }

    private void scenes(Report report) throws IOException {
        SceneRunner runner = new SceneRunner(quick, folder());
        List<SceneRunner.Timing> usual = new ArrayList<>();
        for (Scene scene : Scene.all(only)) {
            say(scene.name() + ": " + scene.what());
            usual.add(runner.measure(scene, pods, nodes, REPLICAS));
            report.add(usual.getLast().figures(scene.section(), scene.goals()));
        }
        if (!million) {
            return;
        }
        for (SceneRunner.Timing fewer : usual) {
            Scene scene = fewer.scene();
            if (scene.section().equals("P1")) {
                say("a million pods, " + scene.name() + ": " + scene.what());
                SceneRunner.Timing more = runner.measure(scene, MILLION.pods(), MILLION.nodes(), MILLION.replicas());
                report.add(more.figures("P4", Scene.Goals.NONE));
                String name = scene.what() + ", mean cost relative to that above";
                report.add(Figure.ratio("P4", name, more.cost(), fewer.cost()).atMost(2));
            }
        }
        say("the heap of a million pods");
        Figure[] heap = HeapUse.collected(MILLION);
        report.add(heap[0].atMost(600), heap[1]);
    }

    private void pressure(World world, Report report) {
        PressureBench bench = new PressureBench(world, quick ? 1 : PRESSURE_SECONDS);
        for (int due : PressureBench.SIZES) {
            for (int rate : PressureBench.RATES) {
                if (due <= pods / PODS_PER_DUE_POD) {
                    say(String.format(Locale.ROOT, "pressure: %,d due pods, %,d pod events a second", due, rate));
                    report.add(bench.run(due, rate));
                }
            }
        }
    }
}
