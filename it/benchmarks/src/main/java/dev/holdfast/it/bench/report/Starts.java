package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.Summary;
import java.util.List;

/**
 * How long the operator took from the start of its process to a 200 from /readyz.
 *
 * @param millis in the order of the starts
 */
public record Starts(Summary summary, List<Double> millis) {
    public Starts {
        millis = List.copyOf(millis);
    }

    /** {@return the samples with their summary} */
    public static Starts of(List<Double> millis) {
        return new Starts(Summary.of(millis), millis);
    }
}
