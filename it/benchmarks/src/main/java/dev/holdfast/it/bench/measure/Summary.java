package dev.holdfast.it.bench.measure;

import java.util.List;

/**
 * A summary of samples in six numbers, in the unit of the samples. A percentile is the smallest sample that is at least
 * as large as that percentage of all samples (nearest rank). It is always one of the samples.
 */
public record Summary(int count, double min, double p50, double p90, double p99, double max) {
    private static final int ALL = 100;

    /**
     * {@return the summary of samples in any order}
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Summary of(List<Double> samples) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no samples");
        }
        List<Double> sorted = samples.stream().sorted().toList();
        return new Summary(
                sorted.size(),
                sorted.getFirst(),
                rank(sorted, 50),
                rank(sorted, 90),
                rank(sorted, 99),
                sorted.getLast());
    }

    private static double rank(List<Double> sorted, int percent) {
        int rank = Math.ceilDiv(percent * sorted.size(), ALL);
        return sorted.get(rank - 1);
    }
}
