package dev.holdfast.it.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.holdfast.it.bench.measure.Summary;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One measured number of a bench, with its unit and target.
 *
 * @param section the group of figures that this one belongs to; may be empty. It is the number of a performance target,
 * such as P1, or a title, such as {@code changes}
 * @param name what was measured
 * @param note text shown beside the value, such as the range of the samples; may be empty
 */
public record Figure(String section, String name, double value, Unit unit, String note, Target target) {
    /** {@return a figure without note and target} */
    public static Figure of(String section, String name, double value, Unit unit) {
        return new Figure(section, name, value, unit, "", Target.none());
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

    /** {@return a copy of this figure with the text added to its note} */
    public Figure noting(String words) {
        String both = note.isEmpty() ? words : note + "; " + words;
        return new Figure(section, name, value, unit, both, target);
    }

    /** {@return a copy of this figure with this target} */
    public Figure against(Target other) {
        return new Figure(section, name, value, unit, note, other);
    }

    /** {@return how the value compares with the target, such as {@code MISSED}; empty without a target} */
    @JsonProperty
    public String verdict() {
        return target.verdict(value);
    }

    /** {@return the cells of the figure's row in a report} */
    String[] cells() {
        return new String[] {
            section,
            name,
            unit.print(value),
            target.print(target.goal(), unit),
            target.print(target.stretch(), unit),
            verdict(),
            note
        };
    }
}
