package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent.PodChanged;
import dev.holdfast.policies.model.ClusterEvent.PodGone;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measurement of whether deleted pods leave memory behind in the index: replaces pods of a generated cluster again and
 * again. Each new pod has a name, a UID and a label whose key and value never occur again. Every replacement is two
 * events: a deletion and a creation.
 */
final class ChurnBench {
    private static final int SAMPLES = 20;

    /** The first sample to use, counted from 1. Earlier samples are skipped, because the JVM itself still grows. */
    private static final int WARMUP = 2;

    private static final double NANOS = 1e9;
    private static final String PADDING = "-".repeat(40);

    private final World world;
    private final InstantSource clock;

    /** The heap use in bytes before the index was created; it is subtracted from each sample. */
    private final long others;

    private final Index index;
    private final String[] uids;

    ChurnBench(World world, InstantSource clock) {
        this.world = world;
        this.clock = clock;
        this.others = HeapBench.used();
        this.index = world.load(new VerdictCounter());
        this.uids = new String[world.plan().pods() / 2];
        for (int pod = 0; pod < uids.length; pod++) {
            uids[pod] = world.pod(pod).uid();
        }
    }

    Run run(long events) {
        long replacements = events / 2;
        List<Long> used = new ArrayList<>();
        Duration took = Duration.ZERO;
        long done = replaceAll();
        long before = HeapBench.bytes(index);
        for (int sample = 1; sample <= SAMPLES; sample++) {
            Instant start = clock.instant();
            for (long until = replacements * sample / SAMPLES; done < until; done++) {
                replace((int) (done % uids.length), neverAgain((int) (done % uids.length), done));
            }
            took = took.plus(Duration.between(start, clock.instant()));
            if (sample >= WARMUP) {
                used.add(HeapBench.used() - others);
            }
        }
        bringBack();
        return new Run(
                world.plan().pods(),
                2 * done,
                2 * (done - uids.length) * NANOS / took.toNanos(),
                used,
                Run.drift(used),
                before,
                HeapBench.bytes(index));
    }

    /**
     * Replaces each pod once and restores the initial pods, so that hash tables have their final size. Returns the
     * number of replaced pods.
     */
    private long replaceAll() {
        for (int pod = 0; pod < uids.length; pod++) {
            replace(pod, neverAgain(pod, pod));
        }
        bringBack();
        return uids.length;
    }

    private void bringBack() {
        for (int pod = 0; pod < uids.length; pod++) {
            replace(pod, world.pod(pod));
        }
    }

    private void replace(int pod, Pod by) {
        index.apply(new PodGone(uids[pod]));
        index.apply(new PodChanged(by));
        uids[pod] = by.uid();
    }

    private Pod neverAgain(int number, long serial) {
        Pod pod = world.pod(number);
        Map<String, String> labels = pod.labels().toMap();
        labels.put("key-" + serial, "value-" + serial + PADDING + serial);
        return new Pod(
                "uid-" + serial,
                new NamespacedName(pod.namespace(), "pod-" + serial),
                pod.resourceVersion() + serial,
                Labels.of(labels),
                pod.nodeName(),
                pod.scheduling(),
                pod.podRequirements(),
                pod.life(),
                pod.victimProtection());
    }

    /**
     * The heap use of an index while pods with unique labels replace one another.
     *
     * @param pods the number of pods that exist at any time
     * @param usedBytes samples of the index's heap use in bytes, each after a full garbage collection, at equal
     * distances
     * from start to end
     * @param driftPercent the growth of a straight line through these samples, in percent of their mean
     * @param bytesBefore the bytes of the index, as JOL counts them, after every pod had been replaced once and
     * restored
     * @param bytesAfter the bytes of the index at the end, with the initial pods restored
     */
    record Run(
            int pods,
            long events,
            double perSecond,
            List<Long> usedBytes,
            double driftPercent,
            long bytesBefore,
            long bytesAfter) {
        private static final int ALL = 100;

        Run {
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

        /**
         * {@return two figures, 0 if deleted pods leave nothing behind: the rise of the used heap, and the growth of
         * the index}
         */
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
}
