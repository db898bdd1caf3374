package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Unit;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Locale;

/** The heap use of an engine while every pod violates a rule that no node satisfies, and all are due and held. */
final class ViolationsRun {
    private static final int FEW = 100;
    private static final double MIB = 1 << 20;

    /** How long the engine plans after the violations are due. */
    private static final Duration HELD = Duration.ofMinutes(2);

    private ViolationsRun() {}

    static Figure[] measure(World world) {
        long none = HeapUse.used();
        long without = usedBy(ClockedEngine.enforcing(world, Pressure.on(world, FEW)), none);
        long before = HeapUse.used();
        ClockedEngine all = ClockedEngine.enforcing(world, Pressure.onAll(1));
        long with = usedBy(all, before);
        int violations =
                all.holds().values().stream().mapToInt(Integer::intValue).sum();
        String what = String.format(Locale.ROOT, "%,d violations at once", violations);
        return new Figure[] {
            Figure.of("R17", "heap of the engine with " + what, with / MIB, Unit.MEBIBYTES)
                    .noting(String.format(Locale.ROOT, "%,.0f MiB with few", without / MIB)),
            Figure.of("R17", what + ", a violation", (double) (with - without) / violations, Unit.BYTES)
                    .noting(all.holds().toString())
        };
    }

    private static long usedBy(ClockedEngine engine, long before) {
        try {
            engine.pass(Pressure.FORGIVENESS.plus(HELD));
            var _ = engine.takeSteps();
            return HeapUse.used() - before;
        } finally {
            // Keeps the engine alive until the heap was measured.
            Reference.reachabilityFence(engine);
        }
    }
}
