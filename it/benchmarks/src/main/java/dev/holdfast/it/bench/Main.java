package dev.holdfast.it.bench;

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
        CommandLine commands = new CommandLine(new Main());
        Path root = Path.of("").toAbsolutePath();
        commands.addSubcommand(new EngineCommand(root, InstantSource.system()));
        commands.addSubcommand(new StreamCommand(root, InstantSource.system()));
        commands.addSubcommand(new ScaleCommand(root, InstantSource.system()));
        commands.addSubcommand(new HostileCommand(root, InstantSource.system()));
        commands.addSubcommand(new LedgerCommand(root, InstantSource.system()));
        commands.addSubcommand(new ConnectionsCommand(root, InstantSource.system()));
        commands.addSubcommand(new DumpCommand(root, InstantSource.system()));
        System.exit(commands.execute(arguments));
    }
}
