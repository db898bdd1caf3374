package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.it.bench.report.Checkout;
import dev.holdfast.it.bench.report.ChurnFigures;
import dev.holdfast.it.bench.report.EngineBenchOptions;
import dev.holdfast.it.bench.report.EngineGoals;
import dev.holdfast.it.bench.report.EngineReport;
import dev.holdfast.it.bench.report.EventFigures;
import dev.holdfast.it.bench.report.HeapFigures;
import dev.holdfast.it.bench.report.Machine;
import dev.holdfast.policies.rule.RuleKind;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** {@code it/bench engine}: what the incremental index, and the engine on it, take and keep. Needs no cluster. */
public final class EngineBench {
    static final int REPLICAS = 15;

    /** How many pods fit into a heap of one GiB, with ample room for events. */
    static final int PODS_PER_GIB = 150_000;

    private static final int MILLION = 1_000_000;
    private static final int MILLION_NODES = 100_000;

    /** So that there are 50,000 terms. */
    private static final int MILLION_REPLICAS = 20;

    /** JOL takes long, and what a pod takes does not depend on how many there are. */
    private static final int PART = 5;

    private static final int CHURN_NODES = 1_000;
    private static final int CHURN_PODS = 30_000;

    private final Path root;
    private final EngineBenchOptions options;
    private final InstantSource clock;
    private final Consumer<String> progress;

    /**
     * @param root of the repository
     * @param progress hears what is being done
     */
    public EngineBench(Path root, EngineBenchOptions options, InstantSource clock, Consumer<String> progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    /** {@return all that was measured} */
    public EngineReport run() {
        String started = clock.instant().toString();
        Machine machine = Machine.here();
        Checkout checkout = Checkout.of(root);
        List<EventFigures> events = events();
        List<EventFigures> million = new ArrayList<>();
        List<HeapFigures> heaps = new ArrayList<>();
        List<ChurnFigures> churn = new ArrayList<>();
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
        return new EngineReport(
                "engine",
                started,
                checkout,
                machine,
                options,
                events,
                million,
                heaps,
                churn,
                EngineGoals.of(events, million, heaps, churn));
    }

    private List<EventFigures> events() {
        EventBench bench = new EventBench(options);
        List<EventFigures> figures = new ArrayList<>();
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
        figures.sort(Comparator.comparing(EventFigures::section));
        return figures;
    }

    private List<HeapFigures> heaps() {
        HeapBench bench = new HeapBench(clock);
        progress.accept("the heap of all pods under policies, of pods no policy selects, of pods with unique labels");
        return List.of(
                bench.walked("usual", world(Shape.USUAL, 1)),
                bench.walkedUnselected("usual, no policies", world(Shape.USUAL, PART)),
                bench.walked("labels of each pod unique", world(Shape.UNIQUE_LABELS, PART)));
    }

    private World world(Shape shape, int part) {
        int nodes = Math.max(WorldPlan.FEWEST_NODES, options.nodes() / part);
        int pods = Math.max(nodes * Nodes.USUAL, options.pods() / part);
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

    private List<EventFigures> million() {
        EventBench bench = new EventBench(options);
        List<EventFigures> figures = new ArrayList<>();
        for (Scene scene : Scene.all()) {
            if (scene.section().equals("P1")) {
                progress.accept("a million pods, " + scene.name() + ": " + scene.what());
                figures.add(bench.measure(scene, MILLION, MILLION_NODES, MILLION_REPLICAS));
            }
        }
        return figures;
    }
}
