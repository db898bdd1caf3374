package dev.holdfast.operator.cli;

import dev.holdfast.operator.api.SteadyClock;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine;

/**
 * Runs commands in this process, and keeps what they print. There is no environment variable and no standard input.
 *
 * @param home the home folder of the user
 * @param now the time, which stands still
 */
record CommandRun(Path home, StringWriter out, StringWriter err, Instant now) {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    CommandRun(Path home, StringWriter out, StringWriter err) {
        this(home, out, err, NOW);
    }

    static CommandRun in(Path home) {
        return new CommandRun(home, new StringWriter(), new StringWriter());
    }

    CommandLine commandLine() {
        return HoldfastCommand.commandLine(new ProcessEnvironment(
                        new SteadyClock(() -> now, () -> 0), Map.of(), home, InputStream.nullInputStream(), _ -> {}))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
    }

    /** {@return the exit code} */
    int execute(String... arguments) {
        return commandLine().execute(arguments);
    }
}
