package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The heap of an index, in bytes.
 *
 * @param world a short name
 * @param terms affinity terms of pods, each distinct one counted once
 * @param violations after loading
 * @param loadMillis the loading time, in a cold JVM
 * @param method how the bytes were counted
 * @param bytes in total
 * @param factBytes the pods, nodes and namespaces among them; 0 if not counted separately
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

    /** {@return the total per pod} */
    double perPod() {
        return (double) bytes / pods;
    }

    /** {@return the total without the facts, per pod} */
    double ownPerPod() {
        return (double) (bytes - factBytes) / pods;
    }

    /** {@return the total and the share of a pod; only the size of a million pods has a target} */
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
