package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.index.Index;
import java.lang.ref.Reference;
import java.util.Locale;
import org.openjdk.jol.info.GraphStats;

/** The heap use of an index that has loaded a generated cluster. */
final class HeapUse {
    private static final double MIB = 1 << 20;
    private static final int COLLECTIONS = 2;

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
