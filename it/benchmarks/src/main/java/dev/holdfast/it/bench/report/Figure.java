package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.Summary;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One measured number of a bench, with its unit and goal. A bench that misses a goal does not fail: it reports the
 * miss.
 *
 * @param section the group of figures that this one belongs to: the number of a goal, such as P1, or a title
 * @param name what was measured
 * @param note text shown beside the value, such as the range of the samples; may be empty
 * @param goal the promised limit, such as {@code <= 5 us}; empty if there is none
 * @param verdict how the value compares with the goal: {@code met} or {@code MISSED}; empty without a goal
 */
public record Figure(String section, String name, double value, Unit unit, String note, String goal, String verdict) {
    /** {@return a figure without note and goal} */
    public static Figure of(String section, String name, double value, Unit unit) {
        return new Figure(section, name, value, unit, "", "", "");
    }

    /** {@return a figure whose value is the median of the samples; its note has their range and number} */
    public static Figure median(String section, String name, List<Double> samples, Unit unit) {
        Summary summary = Summary.of(samples);
        return of(section, name, summary.p50(), unit)
                .noting(unit.print(summary.min()) + " to " + unit.print(summary.max()) + " in " + summary.count());
    }

    /** {@return a figure whose value is the median of one number of each measurement} */
    public static <T> Figure median(
            String section, String name, List<T> measured, ToDoubleFunction<T> number, Unit unit) {
        return median(
                section, name, measured.stream().map(number::applyAsDouble).toList(), unit);
    }

    /** {@return a figure that is a value divided by a reference} */
    public static Figure ratio(String section, String name, double value, double reference) {
        return of(section, name, value / reference, Unit.TIMES);
    }

    /** {@return a copy of this figure with the text added to its note} */
    public Figure noting(String words) {
        String both = note.isEmpty() ? words : note + "; " + words;
        return new Figure(section, name, value, unit, both, goal, verdict);
    }

    /** {@return a copy of this figure with an upper limit as its goal} */
    public Figure atMost(double limit) {
        return against("<= ", limit, value <= limit);
    }

    /** {@return a copy of this figure with a lower limit as its goal} */
    public Figure atLeast(double limit) {
        return against(">= ", limit, value >= limit);
    }

    /** {@return a copy of this figure with a limit of its absolute value as its goal} */
    public Figure within(double limit) {
        return against("0 +- ", limit, Math.abs(value) <= limit);
    }

    private Figure against(String sign, double limit, boolean met) {
        return new Figure(section, name, value, unit, note, sign + unit.print(limit), met ? "met" : "MISSED");
    }
}
