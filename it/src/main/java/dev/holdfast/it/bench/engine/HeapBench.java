package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.HeapFigures;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
    HeapFigures walked(String name, World world) {
        return walked(name, world, true);
    }

    /** {@return what is kept where no policy selects any pod, every object looked at} */
    HeapFigures walkedUnselected(String name, World world) {
        return walked(name, world, false);
    }

    private HeapFigures walked(String name, World world, boolean selected) {
        Instant start = clock.instant();
        Index index = selected ? world.load(new Told()) : world.loadWithoutPolicies(new Told());
        Duration took = Duration.between(start, clock.instant());
        return figures(name, world, index, took, "JOL", bytes(index), facts(index.view()));
    }

    /** {@return what the heap has in use with the index more than without, for worlds too large to look at each object} */
    HeapFigures collected(String name, World world) {
        long before = Heap.used();
        Instant start = clock.instant();
        Index index = world.load(new Told());
        Duration took = Duration.between(start, clock.instant());
        return figures(name, world, index, took, "heap in use", Heap.used() - before, 0);
    }

    private static HeapFigures figures(
            String name, World world, Index index, Duration took, String method, long bytes, long facts) {
        long[] violations = new long[1];
        index.forEachBroken((_, _) -> violations[0]++);
        return new HeapFigures(
                name,
                world.plan().pods(),
                world.plan().nodes(),
                world.terms(),
                violations[0],
                took.toNanos() / NANOS_PER_MILLI,
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
