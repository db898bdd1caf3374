package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;
import java.util.Locale;

/**
 * The cost of the engine's thread while pods are due that no node takes.
 *
 * @param pods the number of these pods
 * @param perSecond the number of pod events a second; 17 node events a second come in addition
 * @param steps the number of measured steps of the engine: events and timers
 * @param share the CPU time of all steps as a share of one core, in percent of the engine's time
 * @param p99 the CPU time of a step that 99 % of the steps do not exceed, in microseconds
 * @param max the longest CPU time of a step, in microseconds
 * @param holds the holds that the policy's status counts at the end
 */
record PressureRun(int pods, int perSecond, int steps, double share, double p99, double max, String holds) {
    private static final Target SHARE = Target.atMost(5);
    private static final Target STEP = Target.atMost(1_000);

    List<Figure> figures() {
        String what =
                String.format(Locale.ROOT, "%,d due pods without a node, %,d pod events a second", pods, perSecond);
        return List.of(
                Figure.of("P18", what + ", share of a core", share, Unit.PERCENT)
                        .against(SHARE)
                        .noting(holds),
                Figure.of("P18", what + ", p99 of a step", p99, Unit.MICROSECONDS)
                        .against(STEP)
                        .noting(String.format(Locale.ROOT, "max %s of %,d", Unit.MICROSECONDS.print(max), steps)));
    }
}
