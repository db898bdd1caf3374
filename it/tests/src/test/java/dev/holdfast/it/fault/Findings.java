package dev.holdfast.it.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;

/** The table of results of the fault tests: one line for each fault, in the order in which the faults ended. */
final class Findings {
    private static final Path FILE = Path.of("target", "faults.txt");

    private Findings() {}

    /**
     * Adds a line.
     *
     * @param fault a short name of the fault
     * @param played how long the fault lasted
     * @param reported what the operator reported
     * @param back the time from the end of the fault to the operator's full recovery
     */
    static synchronized void add(String fault, Duration played, Duration back, String reported) {
        String line = String.format(
                Locale.ROOT, "%-40s %7.1f s %7.1f s   %s%n", fault, seconds(played), seconds(back), reported);
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1_000.0;
    }
}
