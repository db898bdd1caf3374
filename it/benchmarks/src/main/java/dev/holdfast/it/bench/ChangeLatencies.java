package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.measure.Latency;
import dev.holdfast.it.bench.measure.Sample;
import dev.holdfast.it.bench.measure.Summary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How long the operator needed to log the violations that label changes caused or healed.
 *
 * @param perSecond the measured rate of requests that made or reverted a change
 * @param violations how many violations the changes caused; each began once and healed once in the log
 * @param breaks the latency of changes that break a rule
 * @param heals the latency of changes that heal the rule again
 */
record ChangeLatencies(double perSecond, int violations, Latency breaks, Latency heals, List<Sample> samples) {
    private static final double NANOS = 1e9;

    ChangeLatencies {
        samples = List.copyOf(samples);
    }

    /**
     * {@return the rate and the latencies of these requests; each sample is one request, which made or reverted a
     * change}
     */
    static ChangeLatencies of(List<Sample> samples) {
        Summary sent = Summary.of(samples.stream()
                .map(sample -> seconds(Instant.parse(sample.sent())))
                .toList());
        return new ChangeLatencies(
                (samples.size() - 1) / (sent.max() - sent.min()),
                samples.stream()
                        .filter(sample -> sample.step().equals(ChangeStep.BREAK.name()))
                        .mapToInt(Sample::violations)
                        .sum(),
                Latency.of(samples, ChangeStep.BREAK),
                Latency.of(samples, ChangeStep.HEAL),
                samples);
    }

    private static double seconds(Instant instant) {
        return Duration.between(Instant.EPOCH, instant).toNanos() / NANOS;
    }
}
