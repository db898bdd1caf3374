package dev.holdfast.it.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;

/** The table of what was seen: a line for each fault, in the order in which they were over. */
final class Findings {
    private static final Path FILE = Path.of("target", "faults.txt");

    private Findings() {}

    /**
     * Adds a line.
     *
     * @param fault in a few words
     * @param played how long it lasted
     * @param heard what the operator said of it
     * @param back how long after its end all was well again
     */
    static synchronized void add(String fault, Duration played, Duration back, String heard) {
        String line = String.format(
                Locale.ROOT, "%-40s %7.1f s %7.1f s   %s%n", fault, seconds(played), seconds(back), heard);
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
