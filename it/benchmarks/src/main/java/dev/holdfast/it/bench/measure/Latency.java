package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeStep;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A summary of the samples of one step, in milliseconds.
 *
 * @param watched from the request to its event in the bare watch
 * @param recorded from the request to the last logged violation
 * @param aboveWatch from the event in the bare watch to the last logged violation
 */
public record Latency(Summary watched, Summary recorded, Summary aboveWatch) {
    /** {@return the summary of the samples of a step} */
    public static Latency of(List<Sample> samples, ChangeStep changeStep) {
        List<Sample> ofStep = samples.stream()
                .filter(sample -> sample.step().equals(changeStep.name()))
                .toList();
        return new Latency(
                summary(ofStep, Sample::watched),
                summary(ofStep, Sample::recorded),
                summary(ofStep, Sample::aboveWatch));
    }

    private static Summary summary(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        return Summary.of(samples.stream().map(figure::applyAsDouble).toList());
    }
}
