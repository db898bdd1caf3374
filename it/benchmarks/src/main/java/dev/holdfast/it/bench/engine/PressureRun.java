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
 * @param events the number of measured changes of pods and nodes
 * @param share the CPU time of all steps, events and timers, as a share of one core, in percent of the engine's time
 * @param p99 the CPU time of an event's step that 99 % of the events do not exceed, in microseconds
 * @param handled the same for the time until an event is handled, which includes the wait for earlier events and plans
 * @param holds the holds that the policy's status counts at the end
 */
record PressureRun(int pods, int perSecond, int events, double share, double p99, double handled, String holds) {
    private static final Target SHARE = Target.atMost(5);
    private static final Target EVENT = Target.atMost(1_000);

    List<Figure> figures() {
        String what =
                String.format(Locale.ROOT, "%,d due pods without a node, %,d pod events a second", pods, perSecond);
        return List.of(
                Figure.of("P18", what + ", share of a core", share, Unit.PERCENT)
                        .against(SHARE)
                        .noting(holds),
                Figure.of("P18", what + ", p99 of an event", p99, Unit.MICROSECONDS)
                        .against(EVENT)
                        .noting(String.format(
                                Locale.ROOT,
                                "%s with the wait for plans; of %,d",
                                Unit.MICROSECONDS.print(handled),
                                events)));
    }
}
