package dev.holdfast.it.bench.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.holdfast.it.bench.dump.CommandTimes.Run;
import dev.holdfast.it.bench.report.Bench;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
    private static final Target TIME = Target.atMost(20);
    private static final Target TIME_OF_SMALL = Target.atMost(1);
    private static final Target PEAK = Target.atMost(1024);
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
        Path folder = Files.createDirectories(root().resolve("it/target/bench"));
        Path plain = folder.resolve("dump.json");
        Path packed = folder.resolve("dump.json.gz");
        say("writing " + plain + " and " + packed);
        try {
            DumpFile dump = new DumpFile(pods, nodes);
            dump.write(plain);
            dump.write(packed);
            Path unpacked = Files.createDirectories(folder.resolve("archive"));
            measure(plain, packed, CommandTimes.ofArchive(root(), unpacked), report);
        } finally {
            Files.deleteIfExists(plain);
            Files.deleteIfExists(packed);
        }
    }

    /** The kinds of runs take turns, so that a slow minute of the machine hits all of them. */
    private void measure(Path plain, Path packed, CommandTimes archive, Report report)
            throws IOException, InterruptedException {
        CommandTimes command = CommandTimes.ofRepository(root());
        List<String> checkSmall =
                List.of("check", "-f", root().resolve("docs/samples/shop.yaml").toString());
        List<Double> parser = report.raw("tokens", new ArrayList<>());
        List<Run> ofPlain = report.raw("plain", new ArrayList<>());
        List<Run> ofPacked = report.raw("packed", new ArrayList<>());
        List<Run> small = report.raw("small", new ArrayList<>());
        List<Run> byArchive = report.raw("smallByArchive", new ArrayList<>());
        for (int round = 1; round <= rounds; round++) {
            say("round " + round + " of " + rounds);
            parser.add(tokens(plain));
            ofPlain.add(command.run(FINDINGS, List.of("check", "-f", plain.toString())));
            ofPacked.add(command.run(FINDINGS, List.of("check", "-f", packed.toString())));
            small.add(command.run(FINDINGS, checkSmall));
            byArchive.add(archive.run(FINDINGS, checkSmall));
        }
        report.add(Figure.of("the dump", "size", Files.size(plain) / BYTES_PER_MIB, Unit.MEBIBYTES));
        Figure tokens = Figure.median("a JSON parser alone", "time", parser, Unit.SECONDS);
        report.add(tokens.noting("reads the same file, in a warm process"));
        Figure time = time("check, JSON", ofPlain);
        report.add(time.against(TIME));
        report.add(ratio("check, JSON", "time, relative to the parser alone", time, tokens));
        report.add(peak("check, JSON", ofPlain));
        report.add(time("check, gzip", ofPacked).against(TIME));
        report.add(peak("check, gzip", ofPacked));
        Figure ofTree = time("check, a small file in YAML", small);
        report.add(ofTree.noting("by the classes of the source tree, without an AOT cache"));
        String name = "check, a small file in YAML, by the archive";
        Figure ofArchive = time(name, byArchive);
        report.add(ofArchive.against(TIME_OF_SMALL));
        report.add(ratio(name, "time, relative to the source tree", ofArchive, ofTree));
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

    private static Figure time(String section, List<Run> runs) {
        return Figure.median(section, "time", runs, Run::seconds, Unit.SECONDS);
    }

    private static Figure peak(String section, List<Run> runs) {
        return Figure.median(section, "peak of resident memory", runs, Run::peakMiB, Unit.MEBIBYTES)
                .against(PEAK);
    }

    private static Figure ratio(String section, String name, Figure figure, Figure reference) {
        return Figure.of(section, name, figure.value() / reference.value(), Unit.TIMES);
    }
}
