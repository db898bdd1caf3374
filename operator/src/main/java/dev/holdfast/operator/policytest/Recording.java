package dev.holdfast.operator.policytest;

import dev.holdfast.operator.dump.DumpException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes what happens in a test as its expectation. The rest of the file stays as it is written, with its comments.
 *
 * <p>Example: {@code expect:}, and below it {@code - evictions:} with the line
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
            write(
                    file,
                    List.of(
                            "apiVersion: " + PolicyTestReader.API_VERSION,
                            "kind: " + PolicyTestReader.KIND,
                            "steps: []"));
        }
    }

    /**
     * Writes what there is at the end of a test, in the place of what the file expects.
     *
     * @throws DumpException if the file cannot be read or written
     */
    static void write(Path folder, Map<Entry.Subject, List<Entry>> found) throws DumpException {
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
        String begin = "- ";
        for (Map.Entry<Entry.Subject, List<Entry>> list : found.entrySet()) {
            boolean none = list.getValue().isEmpty();
            lines.add(begin + list.getKey().plural() + ":" + (none ? " []" : ""));
            list.getValue().forEach(entry -> lines.add("  - " + entry.yaml()));
            begin = "  ";
        }
        write(file, lines);
    }

    private static List<String> lines(Path file) throws DumpException {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new DumpException(file + ": cannot read it: " + e.getMessage(), e);
        }
    }

    private static void write(Path file, List<String> lines) throws DumpException {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new DumpException(file + ": cannot write it: " + e.getMessage(), e);
        }
    }
}
