package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.openjdk.jol.info.GraphStats;

/**
 * The heap use of an index that has loaded a generated cluster, in bytes.
 *
 * @param world a short name of the generated cluster
 * @param terms the number of different pod affinity, anti-affinity and spread rules of pods
 * @param violations the number of violated rules after loading
 * @param loadMillis the loading time in milliseconds, in a JVM without warm-up
 * @param bytes the total number of bytes
 * @param factBytes the bytes of the pod, node and namespace objects; 0 if not counted separately
 */
record HeapBench(
        String world, int pods, int nodes, int terms, long violations, long loadMillis, long bytes, long factBytes) {
    private static final double MIB = 1 << 20;
    private static final int COLLECTIONS = 2;

    static {
        // Without it JOL refuses records: the JDK hides the offsets of their fields.
        System.setProperty("jol.magicFieldOffset", "true");
        // Otherwise JOL tries for ten seconds to attach to this JVM, which the bench does not need.
        System.setProperty("jol.skipDynamicAttach", "true");
    }

    /**
     * {@return the heap use of an index that has loaded a cluster, counted object by object}
     *
     * @param loading loads the cluster with or without its policies
     */
    static HeapBench walked(
            String name, World world, BiFunction<World, VerdictListener, Index> loading, InstantSource clock) {
        Loaded loaded = Loaded.of(world, loading, clock);
        return of(
                name,
                world.plan(),
                loaded,
                bytes(loaded.index()),
                facts(loaded.index().view()));
    }

    /**
     * Measures the heap use before and after an index is loaded, and returns the difference. Use it for clusters with
     * too many objects to count one by one. The generated cluster itself is garbage by then, so the difference has only
     * the objects that the index refers to.
     */
    static HeapBench collected(String name, WorldPlan plan, InstantSource clock) {
        long before = used();
        Loaded loaded = Loaded.of(World.of(plan), World::load, clock);
        return of(name, plan, loaded, used() - before, 0);
    }

    /** An index that has loaded a generated cluster, the number of different rules in it, and the loading time. */
    private record Loaded(Index index, int terms, Duration took) {
        static Loaded of(World world, BiFunction<World, VerdictListener, Index> loading, InstantSource clock) {
            Instant start = clock.instant();
            Index index = loading.apply(world, new VerdictCounter());
            return new Loaded(index, world.terms(), Duration.between(start, clock.instant()));
        }
    }

    private static HeapBench of(String name, WorldPlan plan, Loaded loaded, long bytes, long facts) {
        long[] violations = new long[1];
        loaded.index().forEachBroken((_, _) -> violations[0]++);
        long millis = loaded.took().toMillis();
        return new HeapBench(name, plan.pods(), plan.nodes(), loaded.terms(), violations[0], millis, bytes, facts);
    }

    /** {@return the bytes of an index and all objects that it refers to, directly or through others} */
    static long bytes(Index index) {
        return GraphStats.parseInstance(index).totalSize();
    }

    private static long facts(ClusterView view) {
        List<Object> facts = new ArrayList<>(view.pods());
        facts.addAll(view.nodes());
        facts.addAll(view.namespaces());
        return GraphStats.parseInstance(facts.toArray()).totalSize();
    }

    /** Runs a full garbage collection and returns the bytes of this JVM's heap in use after it. */
    static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** {@return the total and the bytes per pod; only the cluster of a million pods has a target} */
    List<Figure> figures() {
        boolean million = factBytes == 0;
        String note = String.format(
                Locale.ROOT,
                "%,d pods, %,d nodes, %,d terms, %,d violations, loaded in %,d ms",
                pods,
                nodes,
                terms,
                violations,
                loadMillis);
        String section = million ? "P4" : "heap";
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.of(section, "heap of " + world, bytes / MIB, Unit.MEBIBYTES)
                .against(million ? Target.atMost(600, 350) : Target.none())
                .noting(note));
        figures.add(Figure.of(section, "heap of " + world + ", a pod", (double) bytes / pods, Unit.BYTES));
        if (!million) {
            double own = (double) (bytes - factBytes) / pods;
            figures.add(Figure.of(section, "heap of " + world + ", a pod without facts", own, Unit.BYTES));
        }
        return figures;
    }
}
