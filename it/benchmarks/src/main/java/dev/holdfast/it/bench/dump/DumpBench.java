package dev.holdfast.it.bench.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.report.Bench;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The bench {@code it/bench dump}: what commands take that read a dump of a large cluster, and of a small one. */
@Command(
        name = "dump",
        description =
                "Measures holdfast check on a file of 1.2 GB, which has 150,000 pods as kubectl prints them, and on a"
                    + " small one: time and memory of the whole process. No cluster is needed. About three minutes.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class DumpBench extends Bench {
    private static final double NANOS = 1e9;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double MOST_SECONDS = 10;
    private static final double MOST_SECONDS_OF_SMALL = 1;
    private static final double MOST_MIB = 700;
    private static final int FINDINGS = 1;

    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--rounds", defaultValue = "5", description = "Runs of each kind. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    /** @param root the built repository; the dump is written to its folder it/target/bench */
    public DumpBench(Path root, InstantSource clock) {
        super(root, clock);
    }

    @Override
    protected void measure(Report report) throws IOException, InterruptedException {
        Path archive = Files.createDirectories(folder().resolve("archive"));
        Path plain = folder().resolve("dump.json");
        Path packed = folder().resolve("dump.json.gz");
        unpack(archive);
        say("writing " + plain + " and " + packed);
        try {
            DumpFile dump = new DumpFile(pods, nodes);
            dump.write(plain);
            dump.write(packed);
            measure(archive.resolve("bin/holdfast").toString(), plain, packed, report);
        } finally {
            Files.deleteIfExists(plain);
            Files.deleteIfExists(packed);
        }
    }

    /** Unpacks the archive that {@code mvn package} makes. */
    private void unpack(Path folder) throws IOException, InterruptedException {
        Path archive;
        try (Stream<Path> files = Files.list(root().resolve("operator/target"))) {
            archive = files.filter(file -> file.getFileName().toString().matches("holdfast-.*-linux-.*\\.tar\\.gz"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("mvn package has made no archive"));
        }
        var _ = CommandRun.of(0, "tar", "-xzf", archive.toString(), "-C", folder.toString(), "--strip-components=1");
    }

    /**
     * One run of the command {@code holdfast} as a process.
     *
     * @param seconds from its start to its end
     * @param peakMiB the peak of its resident memory
     */
    private record CommandRun(double seconds, double peakMiB) {
        /**
         * Runs a command, and returns its time and memory.
         *
         * @throws IllegalStateException if it does not end with this exit code
         */
        static CommandRun of(int exitCode, String... command) throws IOException, InterruptedException {
            long start = System.nanoTime();
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            double peak = ProcessFigures.untilEnd(process).peakMiB();
            double seconds = (System.nanoTime() - start) / NANOS;
            if (process.exitValue() != exitCode) {
                throw new IllegalStateException(
                        String.join(" ", command) + " ended with exit code " + process.exitValue());
            }
            return new CommandRun(seconds, peak);
        }
    }

    /** The kinds of runs take turns, so that a slow minute of the machine hits all of them. */
    private void measure(String holdfast, Path plain, Path packed, Report report)
            throws IOException, InterruptedException {
        String small = root().resolve("docs/samples/shop.yaml").toString();
        List<Double> parser = report.raw("tokens", new ArrayList<>());
        List<CommandRun> ofPlain = report.raw("plain", new ArrayList<>());
        List<CommandRun> ofPacked = report.raw("packed", new ArrayList<>());
        List<CommandRun> ofSmall = report.raw("small", new ArrayList<>());
        List<CommandRun> ofWhatIf = report.raw("what-if", new ArrayList<>());
        for (int round = 1; round <= rounds; round++) {
            say("round " + round + " of " + rounds);
            parser.add(tokens(plain));
            ofPlain.add(CommandRun.of(FINDINGS, holdfast, "check", "-f", plain.toString()));
            ofPacked.add(CommandRun.of(FINDINGS, holdfast, "check", "-f", packed.toString()));
            ofSmall.add(CommandRun.of(FINDINGS, holdfast, "check", "-f", small));
            ofWhatIf.add(CommandRun.of(0, holdfast, "what-if", "-f", plain.toString(), "--remove-node", "node-1"));
        }
        Figure tokens = Figure.median("a JSON parser alone", "time", parser, Unit.SECONDS);
        Figure time = time("check, JSON", ofPlain);
        Figure whatIf = time("what-if without a node", ofWhatIf);
        report.add(
                Figure.of("the dump", "size", Files.size(plain) / BYTES_PER_MIB, Unit.MEBIBYTES),
                tokens.noting("reads the same file, in a warm process"),
                time.atMost(MOST_SECONDS),
                Figure.ratio("check, JSON", "time, relative to the parser alone", time.value(), tokens.value()),
                peak("check, JSON", ofPlain),
                time("check, gzip", ofPacked).atMost(MOST_SECONDS),
                peak("check, gzip", ofPacked),
                time("check, a small file in YAML", ofSmall).atMost(MOST_SECONDS_OF_SMALL),
                whatIf,
                Figure.ratio("what-if without a node", "time, relative to check", whatIf.value(), time.value())
                        .atMost(2),
                peak("what-if without a node", ofWhatIf));
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

    private static Figure time(String section, List<CommandRun> runs) {
        return Figure.median(section, "time", runs, CommandRun::seconds, Unit.SECONDS);
    }

    private static Figure peak(String section, List<CommandRun> runs) {
        return Figure.median(section, "peak of resident memory", runs, CommandRun::peakMiB, Unit.MEBIBYTES)
                .atMost(MOST_MIB);
    }
}
