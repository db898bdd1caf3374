package dev.holdfast.operator.policytest;

import dev.holdfast.operator.dump.DumpException;
import dev.holdfast.operator.dump.DumpFile;
import dev.holdfast.operator.dump.DumpReader;
import dev.holdfast.operator.print.TimeText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Writes what happens in a test as its expectation. The rest of the file stays as it is written, with its comments.
 *
 * <p>Example: {@code expect:}, and below it {@code - at: 2h}, {@code evictions:} and the line
 * <code>  - {at: 10m5s, pod: shop/web-1, node: n1, to: n2, policy: shop/keep, rule: NodeAffinity, outcome: Moved}</code>.
 */
final class Recording {
    private static final String EXPECT = "expect:";

    private Recording() {}

    /**
     * Writes a first test file to a folder that has none.
     *
     * @throws DumpException if it cannot be written
     */
    static void begin(Path folder) throws DumpException {
        Path file = folder.resolve(PolicyTestReader.FILE);
        if (!Files.exists(file)) {
            store(
                    file,
                    List.of(
                            "apiVersion: " + PolicyTestReader.API_VERSION,
                            "kind: " + PolicyTestReader.KIND,
                            "steps: []"));
        }
    }

    /** Removes the file that {@link #begin} has written. */
    static void undo(Path folder) {
        try {
            Files.deleteIfExists(folder.resolve(PolicyTestReader.FILE));
        } catch (IOException _) {
            // The message of what went wrong before says more.
        }
    }

    /**
     * {@return the lines of a test file with what there is at some times, in the place of what it expects}
     *
     * @throws DumpException if the file cannot be read, or does not write {@code expect:} at the beginning of a line
     */
    static List<String> of(Path folder, SortedMap<Duration, Map<Entry.Subject, List<Entry>>> found)
            throws DumpException {
        Path file = folder.resolve(PolicyTestReader.FILE);
        List<String> lines = new ArrayList<>();
        boolean expected = false;
        for (String line : lines(file)) {
            boolean newField = !line.isEmpty() && !" -#\t".contains(line.substring(0, 1));
            expected = newField ? line.startsWith(EXPECT) : expected;
            if (!expected) {
                lines.add(line);
            }
        }
        lines.add(EXPECT);
        found.forEach((time, lists) -> {
            lines.add("- at: " + TimeText.of(time));
            lists.forEach((subject, entries) -> {
                lines.add("  " + subject.plural() + ":" + (entries.isEmpty() ? " []" : ""));
                entries.forEach(entry -> lines.add("  - " + entry.yaml()));
            });
        });
        requireReadable(file, lines);
        return lines;
    }

    /** A file in another style, such as JSON, would be damaged. */
    private static void requireReadable(Path file, List<String> lines) throws DumpException {
        byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        try {
            DumpReader.documents(new DumpFile(file.toString(), () -> new ByteArrayInputStream(bytes)));
        } catch (DumpException e) {
            throw new DumpException(
                    file + ": nothing is written, as `expect:` is not at the beginning of a line: write each field on a"
                            + " line of its own",
                    e);
        }
    }

    /**
     * Writes a test file.
     *
     * @throws DumpException if it cannot be written
     */
    static void write(Path folder, List<String> lines) throws DumpException {
        store(folder.resolve(PolicyTestReader.FILE), lines);
    }

    private static List<String> lines(Path file) throws DumpException {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new DumpException(file + ": cannot read it: " + e.getMessage(), e);
        }
    }

    private static void store(Path file, List<String> lines) throws DumpException {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new DumpException(file + ": cannot write it: " + e.getMessage(), e);
        }
    }
}
