package dev.holdfast.it.bench;

import dev.holdfast.it.bench.dump.DumpBench;
import dev.holdfast.it.bench.engine.EngineBench;
import java.nio.file.Path;
import java.time.InstantSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code it/bench}: each subcommand is one bench. */
@Command(name = "it/bench", description = "Measures Holdfast.", mixinStandardHelpOptions = true)
public final class Main {
    private Main() {}

    /** Runs one bench and exits with its exit code. The working directory must be the repository. */
    public static void main(String[] arguments) {
        Path root = Path.of("").toAbsolutePath();
        InstantSource clock = InstantSource.system();
        System.exit(new CommandLine(new Main())
                .addSubcommand(new EngineBench(root, clock))
                .addSubcommand(new ScaleBench(root, clock))
                .addSubcommand(new LedgerBench(root, clock))
                .addSubcommand(new DumpBench(root, clock))
                .execute(arguments));
    }
}
