package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an index keeps, in bytes.
 *
 * @param world in few words
 * @param terms rules about other pods that pods carry, each counted once
 * @param violations when all had been told
 * @param loadMillis how long telling took, in a JVM that had not done it before
 * @param method how the bytes were counted
 * @param bytes all of it
 * @param factBytes the pods, nodes and namespaces in it; 0 where they were not counted apart
 */
record HeapSize(
        String world,
        int pods,
        int nodes,
        int terms,
        long violations,
        double loadMillis,
        String method,
        long bytes,
        long factBytes) {
    private static final double MIB = 1 << 20;

    /** {@return all of it by pod} */
    double perPod() {
        return (double) bytes / pods;
    }

    /** {@return it without the facts, by pod} */
    double ownPerPod() {
        return (double) (bytes - factBytes) / pods;
    }

    /** {@return all of it, and its share of a pod; only the size of a million pods has a target} */
    List<Figure> figures() {
        boolean million = factBytes == 0;
        String note = String.format(
                Locale.ROOT,
                "%,d pods, %,d nodes, %,d terms, %,d violations, loaded in %,.0f ms",
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
        figures.add(Figure.of(section, "heap of " + world + ", a pod", perPod(), Unit.BYTES));
        if (!million) {
            figures.add(Figure.of(section, "heap of " + world + ", a pod without facts", ownPerPod(), Unit.BYTES));
        }
        return figures;
    }
}
