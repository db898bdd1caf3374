package dev.holdfast.it.bench.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The bench {@code it/bench dump}: what commands take that read a dump of a large cluster, and of a small one. */
public final class DumpBench {
    private static final double NANOS = 1e9;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double MOST_SECONDS = 20;
    private static final double MOST_MIB = 1024;
    private static final double MOST_SECONDS_OF_SMALL = 1;
    private static final int FINDINGS = 1;

    private final Path root;
    private final DumpOptions options;
    private final InstantSource clock;
    private final Consumer<String> progress;

    /** @param root the built repository; the dump is written to its folder it/target/bench */
    public DumpBench(Path root, DumpOptions options, InstantSource clock, Consumer<String> progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    /** The raw samples of the report. */
    private record Samples(
            double mebibytes,
            List<Double> tokens,
            List<CommandTimes.Run> plain,
            List<CommandTimes.Run> packed,
            List<CommandTimes.Run> small,
            List<CommandTimes.Run> smallByArchive) {}

    /** Measures, and returns the report. */
    public Report run() throws IOException, InterruptedException {
        RunInfo run = RunInfo.now("dump", root, options, clock);
        Path folder = Files.createDirectories(root.resolve("it/target/bench"));
        Path plain = folder.resolve("dump.json");
        Path packed = folder.resolve("dump.json.gz");
        progress.accept("writing " + plain + " and " + packed);
        try {
            DumpFile dump = new DumpFile(options.pods(), options.nodes());
            dump.write(plain);
            dump.write(packed);
            Path unpacked = Files.createDirectories(folder.resolve("archive"));
            Samples samples = measure(plain, packed, CommandTimes.ofArchive(root, unpacked));
            return new Report(run, figures(samples), samples);
        } finally {
            Files.deleteIfExists(plain);
            Files.deleteIfExists(packed);
        }
    }

    /** The kinds of runs take turns, so that a slow minute of the machine hits all of them. */
    private Samples measure(Path plain, Path packed, CommandTimes archive) throws IOException, InterruptedException {
        CommandTimes command = CommandTimes.ofRepository(root);
        List<String> checkSmall =
                List.of("check", "-f", root.resolve("docs/samples/shop.yaml").toString());
        Samples samples = new Samples(
                Files.size(plain) / BYTES_PER_MIB,
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
        for (int round = 1; round <= options.rounds(); round++) {
            progress.accept("round " + round + " of " + options.rounds());
            samples.tokens().add(tokens(plain));
            samples.plain().add(command.run(FINDINGS, List.of("check", "-f", plain.toString())));
            samples.packed().add(command.run(FINDINGS, List.of("check", "-f", packed.toString())));
            samples.small().add(command.run(FINDINGS, checkSmall));
            samples.smallByArchive().add(archive.run(FINDINGS, checkSmall));
        }
        return samples;
    }

    /** {@return the seconds in which a JSON parser reads the file, and nothing is done with it} */
    private static double tokens(Path file) throws IOException {
        long start = System.nanoTime();
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            long texts = 0;
            while (json.nextToken() != null) {
                texts += json.currentToken().isScalarValue() ? json.getTextLength() : 0;
            }
            if (texts == 0) {
                throw new IllegalStateException("the dump is empty");
            }
        }
        return (System.nanoTime() - start) / NANOS;
    }

    private static List<Figure> figures(Samples samples) {
        Figure tokens = Figure.median("a JSON parser alone", "time", samples.tokens(), Unit.SECONDS)
                .noting("reads the same file, in a warm process");
        Figure plain = Figure.median("check, JSON", "time", seconds(samples.plain()), Unit.SECONDS);
        Figure small = Figure.median("check, a small file in YAML", "time", seconds(samples.small()), Unit.SECONDS)
                .noting("by the classes of the source tree, without an AOT cache");
        Figure byArchive = Figure.median(
                "check, a small file in YAML, by the archive", "time", seconds(samples.smallByArchive()), Unit.SECONDS);
        return List.of(
                Figure.of("the dump", "size", samples.mebibytes(), Unit.MEBIBYTES),
                tokens,
                plain.against(Target.atMost(MOST_SECONDS)),
                Figure.of(
                        "check, JSON",
                        "time, relative to the parser alone",
                        plain.value() / tokens.value(),
                        Unit.TIMES),
                Figure.median("check, JSON", "peak of resident memory", peaks(samples.plain()), Unit.MEBIBYTES)
                        .against(Target.atMost(MOST_MIB)),
                Figure.median("check, gzip", "time", seconds(samples.packed()), Unit.SECONDS)
                        .against(Target.atMost(MOST_SECONDS)),
                Figure.median("check, gzip", "peak of resident memory", peaks(samples.packed()), Unit.MEBIBYTES)
                        .against(Target.atMost(MOST_MIB)),
                small,
                byArchive.against(Target.atMost(MOST_SECONDS_OF_SMALL)),
                Figure.of(
                        "check, a small file in YAML, by the archive",
                        "time, relative to the source tree",
                        byArchive.value() / small.value(),
                        Unit.TIMES));
    }

    private static List<Double> seconds(List<CommandTimes.Run> runs) {
        return runs.stream().map(CommandTimes.Run::seconds).toList();
    }

    private static List<Double> peaks(List<CommandTimes.Run> runs) {
        return runs.stream().map(CommandTimes.Run::peakMiB).toList();
    }
}
