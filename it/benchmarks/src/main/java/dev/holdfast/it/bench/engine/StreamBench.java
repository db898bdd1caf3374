package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.cluster.RecordedCluster;
import dev.holdfast.it.bench.cluster.RecordedCluster.Frames;
import dev.holdfast.it.bench.cluster.RecordedCluster.Mix;
import dev.holdfast.it.bench.engine.StreamTiming.Round;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
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
 * The bench {@code it/bench stream}: the cost of the events of a recorded pod watch on one core, from bytes to
 * verdicts. It needs no cluster.
 */
public final class StreamBench {
    private static final double NANOS = 1e3;
    private static final double MILLIS = 1e3;

    private final Path root;
    private final StreamOptions options;
    private final InstantSource clock;
    private final Consumer<String> progress;

    /**
     * @param root the root folder of the repository
     * @param progress gets a line of text for each step
     */
    public StreamBench(Path root, StreamOptions options, InstantSource clock, Consumer<String> progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    /** All measurements of the bench, for the report's file. */
    private record Measurements(List<StreamTiming> streams) {}

    /** Measures everything and returns the report. */
    public Report run() throws IOException {
        RunInfo run = RunInfo.now("stream", root, options, clock);
        List<StreamTiming> streams = measure();
        return new Report(
                run,
                streams.stream().flatMap(timing -> timing.figures().stream()).toList(),
                new Measurements(streams));
    }

    List<StreamTiming> measure() throws IOException {
        List<StreamTiming> streams = new ArrayList<>();
        streams.addAll(measure("decoder alone", false, _ -> StreamReader.decoder()));
        streams.addAll(measure("feed and index", true, cluster -> StreamReader.index(cluster, clock)));
        streams.addAll(measure("feed and engine", true, cluster -> StreamReader.engine(cluster, clock)));
        return streams;
    }

    private List<StreamTiming> measure(String name, boolean judged, Function<RecordedCluster, StreamReader> who)
            throws IOException {
        RecordedCluster cluster = new RecordedCluster(Layout.of(options.nodes(), options.pods()), options.seed());
        StreamReader reader = who.apply(cluster);
        progress.accept(name + ": all pods");
        Round _ = round(cluster, reader, cluster.all(), cluster.pods());
        reader.loaded();
        List<StreamTiming> figures = new ArrayList<>();
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
            figures.add(new StreamTiming(name, what(mix), judged, rounds));
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
            throws IOException {
        CpuTime cpu = new CpuTime();
        FrameStream watch = new FrameStream(cluster, frames, cpu, events);
        double collecting = collecting();
        cpu.begin();
        long told = reader.read(watch);
        cpu.end();
        if (told != events) {
            throw new IllegalStateException("of " + events + " events in the watch " + told + " were delivered");
        }
        return new Round(events, watch.bytes(), cpu.cpu / NANOS, collecting() - collecting, cpu.garbage);
    }

    /** {@return the total pauses of the garbage collectors in this JVM so far, in microseconds} */
    private static double collecting() {
        return MILLIS
                * ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum();
    }
}
