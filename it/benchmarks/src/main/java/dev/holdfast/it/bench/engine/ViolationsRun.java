package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Unit;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The heap use of an engine while every selected pod violates a rule that no node satisfies, and all are due and held.
 *
 * @param violations the number of violations
 * @param without the bytes in use with a policy for 100 pods
 * @param with the bytes in use with the policy for all pods
 * @param holds the holds that the policy's status counts at the end
 */
record ViolationsRun(int violations, long without, long with, String holds) {
    private static final int FEW = 100;
    private static final double MIB = 1 << 20;

    /** How long the engine plans after the violations are due. */
    private static final Duration HELD = Duration.ofMinutes(2);

    static ViolationsRun measure(World world) {
        long none = HeapBench.used();
        long without = used(new PressedEngine(world, Pressure.on(world, FEW)), none);
        long before = HeapBench.used();
        PressedEngine all = new PressedEngine(world, Pressure.onAll());
        long with = used(all, before);
        int violations = all.holds(Pressure.ID).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        return new ViolationsRun(
                violations, without, with, all.holds(Pressure.ID).toString());
    }

    private static long used(PressedEngine engine, long before) {
        try {
            engine.until(engine.now().plus(Pressure.FORGIVENESS).plus(HELD));
            engine.takeNanos();
            return HeapBench.used() - before;
        } finally {
            // Keeps the engine alive until the heap was measured.
            Reference.reachabilityFence(engine);
        }
    }

    List<Figure> figures() {
        String what = String.format(Locale.ROOT, "%,d violations at once", violations);
        return List.of(
                Figure.of("R17", "heap of the engine with " + what, with / MIB, Unit.MEBIBYTES)
                        .noting(String.format(Locale.ROOT, "%,.0f MiB with few", without / MIB)),
                Figure.of("R17", what + ", a violation", (double) (with - without) / violations, Unit.BYTES)
                        .noting(holds));
    }
}
