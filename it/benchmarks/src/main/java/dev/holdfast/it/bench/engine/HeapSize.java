package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The heap use of an index, in bytes.
 *
 * @param world a short name of the generated cluster
 * @param terms the number of different pod affinity, anti-affinity and spread rules of pods
 * @param violations the number of violated rules after loading
 * @param loadMillis the loading time in milliseconds, in a JVM without warm-up
 * @param method how the bytes were counted, for example {@code JOL}
 * @param bytes the total number of bytes
 * @param factBytes the bytes of the pod, node and namespace objects; 0 if not counted separately
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

    /** {@return the total bytes per pod} */
    double perPod() {
        return (double) bytes / pods;
    }

    /** {@return the bytes per pod, without the pod, node and namespace objects} */
    double ownPerPod() {
        return (double) (bytes - factBytes) / pods;
    }

    /** {@return the total and the bytes per pod; only the cluster of a million pods has a target} */
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
