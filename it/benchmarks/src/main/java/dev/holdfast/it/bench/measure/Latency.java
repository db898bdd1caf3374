package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeStep;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Samples of one step, summed up, in milliseconds.
 *
 * @param watched from sent to read by the bare watch
 * @param recorded from sent to the last violation recorded
 * @param aboveWatch from the one to the other
 */
public record Latency(Summary watched, Summary recorded, Summary aboveWatch) {
    /** {@return the summary of those samples that are of the step} */
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
