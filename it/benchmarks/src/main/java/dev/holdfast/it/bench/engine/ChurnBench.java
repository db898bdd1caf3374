package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent.PodChanged;
import dev.holdfast.policies.model.ClusterEvent.PodGone;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
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
    private static final int PERCENT = 100;
    private static final String PADDING = "-".repeat(40);

    private final World world;

    /** The heap use in bytes before the index was created; it is subtracted from each sample. */
    private final long others;

    private final Index index;
    private final String[] uids;

    ChurnBench(World world) {
        this.world = world;
        this.others = HeapUse.used();
        this.index = world.load();
        this.uids = new String[world.plan().pods() / 2];
        for (int pod = 0; pod < uids.length; pod++) {
            uids[pod] = world.pod(pod).uid();
        }
    }

    /**
     * Plays this many events, and returns two figures, 0 if deleted pods leave nothing behind: the rise of the used
     * heap, and the growth of the index. Before that, each pod is replaced once, so that hash tables have their final
     * size.
     */
    Figure[] run(long events) {
        long done = 0;
        for (; done < uids.length; done++) {
            replace((int) done, neverAgain((int) done, done));
        }
        bringBack();
        long before = HeapUse.bytes(index);
        List<Long> used = new ArrayList<>();
        for (int sample = 1; sample <= SAMPLES; sample++) {
            for (long until = events / 2 * sample / SAMPLES; done < until; done++) {
                int pod = (int) (done % uids.length);
                replace(pod, neverAgain(pod, done));
            }
            used.add(HeapUse.used() - others);
        }
        bringBack();
        // The first sample is skipped, because the JVM itself still grows.
        double drift = drift(used.subList(1, used.size()));
        double growth = PERCENT * ((double) HeapUse.bytes(index) / before - 1);
        String over = String.format(Locale.ROOT, "drift of the heap over %,d events", events);
        return new Figure[] {
            Figure.of("P17", over, drift, Unit.PERCENT).within(1),
            Figure.of("P17", "index size afterwards relative to before", growth, Unit.PERCENT)
                    .within(1)
        };
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
        return PERCENT * covariance / variance * (samples.size() - 1) / mean;
    }
}
