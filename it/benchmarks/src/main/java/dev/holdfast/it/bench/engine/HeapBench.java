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

/** Counts what an index keeps once it has been told of a world. */
final class HeapBench {
    private static final double NANOS_PER_MILLI = 1e6;

    static {
        // Without it JOL refuses records: the JDK does not tell where their fields are.
        System.setProperty("jol.magicFieldOffset", "true");
        // It would try to attach to this JVM for ten seconds, and knows all it needs without.
        System.setProperty("jol.skipDynamicAttach", "true");
    }

    private final InstantSource clock;

    HeapBench(InstantSource clock) {
        this.clock = clock;
    }

    /** {@return what is kept with the policies of the world, every object looked at} */
    HeapSize walked(String name, World world) {
        return walked(name, load(world, world::load));
    }

    /** {@return what is kept where no policy selects any pod, every object looked at} */
    HeapSize walkedUnselected(String name, World world) {
        return walked(name, load(world, world::loadWithoutPolicies));
    }

    private static HeapSize walked(String name, Loaded loaded) {
        return figures(
                name, loaded, "JOL", bytes(loaded.index()), facts(loaded.index().view()));
    }

    /**
     * {@return what the heap has in use with the index more than without, for worlds too large to look at each object; the
     * world is made here and gone when it is counted, so that what the index has of it counts as well}
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

    /** An index that was told of a world. */
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

    /** {@return the bytes of all objects that can be reached from an index} */
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
