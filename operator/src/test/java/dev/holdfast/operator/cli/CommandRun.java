package dev.holdfast.operator.cli;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.offline.print.Terminal;
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
 * @param terminal where the output goes, as the commands see it
 * @param now the time, which stands still
 */
record CommandRun(Path home, Terminal terminal, StringWriter out, StringWriter err, Instant now) {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    static CommandRun in(Path home) {
        return printingTo(home, new StringWriter(), new StringWriter());
    }

    /** {@return a run whose output is no terminal} */
    static CommandRun printingTo(Path home, StringWriter out, StringWriter err) {
        return new CommandRun(home, new Terminal(home, Map.of()), out, err, NOW);
    }

    /** {@return the same run at another time} */
    CommandRun at(String instant) {
        return new CommandRun(home, terminal, out, err, Instant.parse(instant));
    }

    CommandLine commandLine() {
        return HoldfastCommand.commandLine(new ProcessEnvironment(
                        new SteadyClock(() -> now, () -> 0),
                        Map.of(),
                        home,
                        InputStream.nullInputStream(),
                        terminal,
                        _ -> {}))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
    }

    /** {@return the exit code} */
    int execute(String... arguments) {
        return commandLine().execute(arguments);
    }
}
