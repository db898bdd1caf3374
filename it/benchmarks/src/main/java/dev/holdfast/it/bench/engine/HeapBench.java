package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.openjdk.jol.info.GraphStats;

/** Measurement of the heap use of an index that has loaded a generated cluster. */
final class HeapBench {
    private static final double NANOS_PER_MILLI = 1e6;

    static {
        // Without it JOL refuses records: the JDK hides the offsets of their fields.
        System.setProperty("jol.magicFieldOffset", "true");
        // Otherwise JOL tries for ten seconds to attach to this JVM, which the bench does not need.
        System.setProperty("jol.skipDynamicAttach", "true");
    }

    private final InstantSource clock;

    HeapBench(InstantSource clock) {
        this.clock = clock;
    }

    /** {@return the heap use of an index that has the cluster's policies, counted object by object} */
    HeapSize walked(String name, World world) {
        return walked(name, load(world, world::load));
    }

    /** {@return the heap use of an index that has no policies, counted object by object} */
    HeapSize walkedUnselected(String name, World world) {
        return walked(name, load(world, world::loadWithoutPolicies));
    }

    private static HeapSize walked(String name, Loaded loaded) {
        return figures(
                name, loaded, "JOL", bytes(loaded.index()), facts(loaded.index().view()));
    }

    /**
     * Measures the heap use before and after an index is loaded, and returns the difference. Use it for clusters with
     * too many objects to count one by one. The generated cluster itself is garbage by then, so the difference has only
     * the objects that the index refers to.
     */
    HeapSize collected(String name, WorldPlan plan) {
        long before = Heap.used();
        Loaded loaded = load(plan);
        return figures(name, loaded, "heap in use", Heap.used() - before, 0);
    }

    private Loaded load(WorldPlan plan) {
        World world = World.of(plan);
        return load(world, world::load);
    }

    private Loaded load(World world, Function<VerdictListener, Index> loading) {
        Instant start = clock.instant();
        Index index = loading.apply(new VerdictCounter());
        Duration took = Duration.between(start, clock.instant());
        return new Loaded(index, world.plan(), world.terms(), took);
    }

    /** An index that has loaded a generated cluster, the number of different rules in it, and the loading time. */
    private record Loaded(Index index, WorldPlan plan, int terms, Duration took) {}

    private static HeapSize figures(String name, Loaded loaded, String method, long bytes, long facts) {
        long[] violations = new long[1];
        loaded.index().forEachBroken((_, _) -> violations[0]++);
        return new HeapSize(
                name,
                loaded.plan().pods(),
                loaded.plan().nodes(),
                loaded.terms(),
                violations[0],
                loaded.took().toNanos() / NANOS_PER_MILLI,
                method,
                bytes,
                facts);
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
}
