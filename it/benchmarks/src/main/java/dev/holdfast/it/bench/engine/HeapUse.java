package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.index.Index;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Locale;
import org.openjdk.jol.info.GraphStats;

/** The heap use of an index or an engine that has loaded a generated cluster. */
final class HeapUse {
    private static final double MIB = 1 << 20;
    private static final int COLLECTIONS = 2;
    private static final int FEW = 100;

    /** How long the engine plans after the violations are due. */
    private static final Duration HELD = Duration.ofMinutes(2);

    static {
        // Without it JOL refuses records: the JDK hides the offsets of their fields.
        System.setProperty("jol.magicFieldOffset", "true");
        // Otherwise JOL tries for ten seconds to attach to this JVM, which the bench does not need.
        System.setProperty("jol.skipDynamicAttach", "true");
    }

    private HeapUse() {}

    /** {@return the figures of an index that has loaded a cluster, counted object by object} */
    static Figure[] counted(WorldPlan plan) {
        return figures("heap", plan, bytes(new World(plan).load()));
    }

    /**
     * {@return the figures of the difference of the heap use before and after an index is loaded} Use it for clusters
     * with too many objects to count one by one. The generated cluster itself is garbage by then, so the difference has
     * only the objects that the index refers to.
     */
    static Figure[] collected(WorldPlan plan) {
        long before = used();
        Index index = new World(plan).load();
        try {
            return figures("P4", plan, used() - before);
        } finally {
            Reference.reachabilityFence(index);
        }
    }

    private static Figure[] figures(String section, WorldPlan plan, long bytes) {
        String what = String.format(Locale.ROOT, "heap of %,d pods on %,d nodes", plan.pods(), plan.nodes());
        return new Figure[] {
            Figure.of(section, what, bytes / MIB, Unit.MEBIBYTES),
            Figure.of(section, what + ", a pod", (double) bytes / plan.pods(), Unit.BYTES)
        };
    }

    /**
     * {@return the figures of an engine while every pod violates a rule that no node satisfies, and all are due and
     * held; then also of a backlog of all of them}
     */
    static Figure[] ofViolations(World world) {
        long none = used();
        double without = held(ClockedEngine.enforcing(world, Pressure.on(world, FEW))) - none;
        long before = used();
        ClockedEngine all = ClockedEngine.enforcing(world, Pressure.onAll(1));
        double with = held(all) - before;
        int violations =
                all.holds().values().stream().mapToInt(Integer::intValue).sum();
        String holds = all.holds().toString();
        Pressure.beginBacklogOfAll(all);
        double backlog = held(all) - before;
        String what = String.format(Locale.ROOT, "%,d violations at once", violations);
        return new Figure[] {
            Figure.of("R17", "heap of the engine with " + what, with / MIB, Unit.MEBIBYTES)
                    .noting(String.format(Locale.ROOT, "%,.0f MiB with few", without / MIB)),
            Figure.of("R17", what + ", a violation", (with - without) / violations, Unit.BYTES)
                    .noting(holds),
            Figure.of("R17", "heap of the engine with " + what + ", a backlog", backlog / MIB, Unit.MEBIBYTES)
                    .noting(all.holds().toString())
        };
    }

    /** {@return the bytes of the heap in use while an engine holds its due violations} */
    private static long held(ClockedEngine engine) {
        try {
            engine.pass(Pressure.FORGIVENESS.plus(HELD));
            var _ = engine.takeSteps();
            return used();
        } finally {
            // Keeps the engine alive until the heap was measured.
            Reference.reachabilityFence(engine);
        }
    }

    /** {@return the bytes of an index and all objects that it refers to, directly or through others} */
    static long bytes(Index index) {
        return GraphStats.parseInstance(index).totalSize();
    }

    /** Runs a full garbage collection and returns the bytes of this JVM's heap in use after it. */
    static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
