package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeStep;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How fast changes were detected, in milliseconds: a summary of samples.
 *
 * @param watched the time from the request to its event in the {@link BareWatch}
 * @param recorded the time from the request to the last violation that the operator logged
 * @param aboveWatch the time from the event in the bare watch to the last violation that the operator logged
 */
public record Latency(Summary watched, Summary recorded, Summary aboveWatch) {
    /** {@return the summary of the samples of one step: breaking rules, or reverting the change} */
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
