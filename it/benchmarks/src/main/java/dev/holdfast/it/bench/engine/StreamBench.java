package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.cluster.RecordedCluster;
import dev.holdfast.it.bench.cluster.RecordedCluster.Frames;
import dev.holdfast.it.bench.cluster.RecordedCluster.Mix;
import dev.holdfast.it.bench.report.Checkout;
import dev.holdfast.it.bench.report.Machine;
import dev.holdfast.it.bench.report.StreamBenchOptions;
import dev.holdfast.it.bench.report.StreamFigures;
import dev.holdfast.it.bench.report.StreamFigures.Round;
import dev.holdfast.it.bench.report.StreamGoals;
import dev.holdfast.it.bench.report.StreamReport;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * {@code it/bench stream}: what the events of a recorded watch of pods take on one core, from bytes to judgement. Needs no
 * cluster.
 */
public final class StreamBench {
    private static final double NANOS = 1e3;
    private static final double MILLIS = 1e3;

    private final Path root;
    private final StreamBenchOptions options;
    private final InstantSource clock;
    private final Consumer<String> progress;

    /**
     * @param root of the repository
     * @param progress hears what is being done
     */
    public StreamBench(Path root, StreamBenchOptions options, InstantSource clock, Consumer<String> progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    /** {@return all that was measured} */
    public StreamReport run() throws IOException, InterruptedException {
        String started = clock.instant().toString();
        Machine machine = Machine.here();
        Checkout checkout = Checkout.of(root);
        List<StreamFigures> streams = new ArrayList<>();
        streams.addAll(measure("decoder alone", false, _ -> StreamReader.decoder()));
        streams.addAll(measure("feed and index", true, cluster -> StreamReader.index(cluster, clock)));
        streams.addAll(measure("feed and engine", true, cluster -> StreamReader.engine(cluster, clock)));
        return new StreamReport("stream", started, checkout, machine, options, streams, StreamGoals.of(streams));
    }

    private List<StreamFigures> measure(String name, boolean judged, Function<RecordedCluster, StreamReader> who)
            throws IOException, InterruptedException {
        RecordedCluster cluster = new RecordedCluster(Layout.of(options.nodes(), options.pods()), options.seed());
        StreamReader reader = who.apply(cluster);
        progress.accept(name + ": all pods");
        Round _ = round(cluster, reader, cluster.all(), cluster.pods());
        reader.loaded();
        List<StreamFigures> figures = new ArrayList<>();
        for (Mix mix : Mix.values()) {
            progress.accept(name + ": " + what(mix));
            Frames frames = cluster.changes(mix);
            for (int i = 0; i < options.warmups(); i++) {
                Round _ = round(cluster, reader, frames, options.events());
            }
            List<Round> rounds = new ArrayList<>();
            for (int i = 0; i < options.rounds(); i++) {
                rounds.add(round(cluster, reader, frames, options.events()));
            }
            figures.add(new StreamFigures(name, what(mix), judged, rounds));
        }
        return figures;
    }

    private static String what(Mix mix) {
        return switch (mix) {
            case STATUS -> "status of pods only";
            case PODS -> "the same, 1 in 10 replaced, 1 in 10 relabelled";
        };
    }

    private static Round round(RecordedCluster cluster, StreamReader reader, Frames frames, long events)
            throws IOException, InterruptedException {
        CpuTime cpu = new CpuTime();
        FrameStream watch = new FrameStream(cluster, frames, cpu, events);
        double collecting = collecting();
        cpu.begin();
        long told = reader.read(watch);
        cpu.end();
        if (told != events) {
            throw new IllegalStateException("of " + events + " events in the watch " + told + " were told");
        }
        return new Round(events, watch.bytes(), cpu.cpu / NANOS, collecting() - collecting, cpu.garbage);
    }

    /** {@return how long the collectors have stopped this JVM, in microseconds} */
    private static double collecting() {
        return MILLIS
                * ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum();
    }
}
