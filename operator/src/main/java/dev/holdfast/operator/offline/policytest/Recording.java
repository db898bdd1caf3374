package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.print.TimeText;
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
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes what happens in a test as its expectation. The rest of the file stays as it is written, with its comments. A
 * comment above an expectation stays above that of the same time, and otherwise moves above {@code expect:}.
 *
 * <p>Example: {@code expect:}, and below it {@code - at: 2h}, {@code evictions:} and the line
 * <code> - {at: 10m5s, pod: shop/web-1, node: n1, to: n2, policy: shop/keep, rule: NodeAffinity, outcome:
 * Moved}</code>.
 */
final class Recording {
    private static final String EXPECT = "expect:";

    /** The field {@code expect} in quotes, as YAML may write it. */
    private static final Pattern QUOTED = Pattern.compile("([\"'])expect\\1 *:.*");

    private Recording() {}

    /**
     * Writes a first test file to a folder that has none.
     *
     * @throws DumpException if the file cannot be written
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
     * Writes what was found at some times to a test file, in place of its expectations.
     *
     * @throws DumpException if the file cannot be read or written, or has no {@code expect:} at the beginning of a line
     */
    static void write(Path folder, SortedMap<Duration, Map<Entry.Subject, List<Entry>>> found) throws DumpException {
        Path file = folder.resolve(PolicyTestReader.FILE);
        Written written = Written.of(lines(file));
        List<String> lines = new ArrayList<>(written.rest());
        written.comments().forEach((time, comments) -> {
            if (!found.containsKey(time)) {
                lines.addAll(comments);
            }
        });
        lines.add(EXPECT);
        found.forEach((time, lists) -> {
            lines.addAll(written.comments().getOrDefault(time, List.of()));
            lines.add("- at: " + TimeText.of(time));
            lists.forEach((subject, entries) -> {
                if (entries.isEmpty() && subject.isRare()) {
                    return;
                }
                lines.add("  " + subject.plural() + ":" + (entries.isEmpty() ? " []" : ""));
                entries.forEach(entry -> lines.add("  - " + entry.recorded().yaml()));
            });
        });
        requireReadable(file, lines);
        store(file, lines);
    }

    /**
     * The lines of a test file without its expectations.
     *
     * @param comments the comments on lines of their own above the expectation of a time; of no time if it does not
     *     begin with its time
     */
    private record Written(List<String> rest, SortedMap<Duration, List<String>> comments) {
        private static final Duration NO_TIME = Duration.ofSeconds(-1);
        private static final Pattern TIME = Pattern.compile("- *(\\{ *)?at: *([0-9hms]+).*");

        static Written of(List<String> lines) {
            List<String> rest = new ArrayList<>();
            SortedMap<Duration, List<String>> comments = new TreeMap<>();
            List<String> above = new ArrayList<>();
            boolean expected = false;
            for (String line : lines) {
                boolean newField = !line.isEmpty() && !" -#\t".contains(line.substring(0, 1));
                if (newField) {
                    // What stands directly above a field is about that field.
                    rest.addAll(above);
                    above.clear();
                    expected = line.startsWith(EXPECT) || QUOTED.matcher(line).matches();
                }
                if (!expected) {
                    rest.add(line);
                } else if (line.strip().startsWith("#")) {
                    above.add(line.strip());
                } else if (line.startsWith("-")) {
                    comments.computeIfAbsent(time(line), _ -> new ArrayList<>()).addAll(above);
                    above.clear();
                }
            }
            comments.computeIfAbsent(NO_TIME, _ -> new ArrayList<>()).addAll(above);
            return new Written(rest, comments);
        }

        private static Duration time(String line) {
            Matcher time = TIME.matcher(line);
            return time.matches() ? TimeText.parse(time.group(2)).orElse(NO_TIME) : NO_TIME;
        }
    }

    /** Refuses a file in another style, such as JSON, which would be damaged. */
    private static void requireReadable(Path file, List<String> lines) throws DumpException {
        byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        try {
            DumpReader.documents(new DumpFile(file.toString(), () -> new ByteArrayInputStream(bytes)));
        } catch (DumpException e) {
            throw new DumpException(
                    file + ": `expect:` is not at the beginning of a line: write each field on a line of its own", e);
        }
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
