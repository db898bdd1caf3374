package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;
import java.util.Locale;

/**
 * What an index keeps while pods with labels that never come again replace one another.
 *
 * @param pods that are there at any time
 * @param usedBytes the heap in use after a collection, less what was in use without the index, at equal distances from the beginning to the end
 * @param driftPercent by how much a straight line through these rises from its first point to its last
 * @param bytesBefore of the index, as JOL counts them, when every pod had been replaced once and was back
 * @param bytesAfter the same, once the pods of the beginning were back
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

    /** {@return by how much the index was larger at the end, in percent} */
    double growthPercent() {
        return (double) ALL * (bytesAfter - bytesBefore) / bytesBefore;
    }

    /** {@return by how much the straight line of least squares rises over all samples, in percent of their mean} */
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

    /** {@return the drift and the growth, which should be 0} */
    List<Figure> figures() {
        String over = String.format(Locale.ROOT, "drift of the heap over %,d events", events);
        return List.of(
                Figure.of("P17", over, driftPercent, Unit.PERCENT)
                        .against(Target.within(1))
                        .noting(String.format(Locale.ROOT, "%,.0f events a second", perSecond)),
                Figure.of("P17", "the index afterwards, to before", growthPercent(), Unit.PERCENT)
                        .against(Target.within(1)));
    }
}
