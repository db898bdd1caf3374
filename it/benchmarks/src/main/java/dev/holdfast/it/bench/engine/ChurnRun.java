package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;
import java.util.Locale;

/**
 * The heap use of an index while pods with unique labels replace one another.
 *
 * @param pods the number of pods that exist at any time
 * @param usedBytes samples of the index's heap use in bytes, each after a full garbage collection, at equal distances
 * from start to end
 * @param driftPercent the growth of a straight line through these samples, in percent of their mean
 * @param bytesBefore the bytes of the index, as JOL counts them, after every pod had been replaced once and restored
 * @param bytesAfter the bytes of the index at the end, with the initial pods restored
 */
record ChurnRun(
        int pods,
        long events,
        double perSecond,
        List<Long> usedBytes,
        double driftPercent,
        long bytesBefore,
        long bytesAfter) {
    private static final int ALL = 100;

    ChurnRun {
        usedBytes = List.copyOf(usedBytes);
    }

    /** {@return the growth of the index from start to end, in percent} */
    double growthPercent() {
        return (double) ALL * (bytesAfter - bytesBefore) / bytesBefore;
    }

    /**
     * {@return how much the least-squares line rises from the first sample to the last, in percent of the samples'
     * mean}
     */
    static double drift(List<Long> samples) {
        double middle = (samples.size() - 1) / 2.0;
        double mean = samples.stream().mapToLong(Long::longValue).average().orElse(0);
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < samples.size(); i++) {
            covariance += (i - middle) * (samples.get(i) - mean);
            variance += (i - middle) * (i - middle);
        }
        return variance == 0 ? 0 : ALL * covariance / variance * (samples.size() - 1) / mean;
    }

    /** {@return two figures, 0 if deleted pods leave nothing behind: the rise of the used heap, and the growth of the index} */
    List<Figure> figures() {
        String over = String.format(Locale.ROOT, "drift of the heap over %,d events", events);
        return List.of(
                Figure.of("P17", over, driftPercent, Unit.PERCENT)
                        .against(Target.within(1))
                        .noting(String.format(Locale.ROOT, "%,.0f events a second", perSecond)),
                Figure.of("P17", "index size afterwards relative to before", growthPercent(), Unit.PERCENT)
                        .against(Target.within(1)));
    }
}
