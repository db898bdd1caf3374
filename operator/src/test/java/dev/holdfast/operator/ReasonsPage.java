package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The page on reasons: its words, and the places where it says that each kind of word appears. */
final class ReasonsPage {
    /** The kind of word in the tables under a heading. */
    static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("Holds", "hold"),
            Map.entry("Undetermined verdicts", "verdict"),
            Map.entry("States of a violation", "state"),
            Map.entry("Ends of a violation", "end"),
            Map.entry("Causes", "cause"),
            Map.entry("Answers of the Eviction API", "answer"),
            Map.entry("Outcomes of a move", "outcome"),
            Map.entry("Conditions", "condition"),
            Map.entry("Reasons of conditions", "reason"),
            Map.entry("Rules that are not injected", "omission"),
            Map.entry("Events", "event"),
            Map.entry("Clock restarts", "restart"));

    /** The heading of the table of what ends each hold, which describes no further words. */
    private static final String ENDS = "## How each hold ends";

    private static final Pattern ROW =
            Pattern.compile("\\| <a id=\"([a-z]+-[a-z]+)\"></a>`(\\w+)` \\| (.+) \\| (.+) \\|");
    private static final Pattern KIND = Pattern.compile("(?m)^\\| \\[(\\w+)]\\(#[a-z-]+\\) \\| [^|]+ \\| ([^|]+) \\|$");
    private static final String NOWHERE = "nowhere by itself";

    private ReasonsPage() {}

    /** One row of the page, with the kind of word from its heading. */
    record Entry(String kind, String anchor, String word, String meaning, String remedy) {}

    static String text() {
        try {
            return Files.readString(Path.of("..", "docs", "reasons.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the rows of all words, in the order of the page} */
    static List<Entry> rows() {
        List<Entry> rows = new ArrayList<>();
        String kind = "";
        for (String line : text().lines().toList()) {
            if (line.equals(ENDS)) {
                kind = "";
            } else if (line.startsWith("## ")) {
                kind = Objects.requireNonNull(KINDS.get(line.substring("## ".length())), line);
            } else if (!kind.isEmpty() && line.startsWith("| ") && !line.startsWith("| Word")) {
                Matcher row = ROW.matcher(line);
                assertThat(row.matches())
                        .as("a row of an anchored word and two more cells: %s", line)
                        .isTrue();
                rows.add(new Entry(kind, row.group(1), row.group(2), row.group(3), row.group(4)));
            }
        }
        return rows;
    }

    /** {@return the rows of the table of what ends each hold, as they are written, in the order of the page} */
    static List<String> ends() {
        return text().lines()
                .dropWhile(line -> !line.equals(ENDS))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .toList();
    }

    /** {@return the words of a kind} */
    static List<String> words(String kind) {
        return rows().stream()
                .filter(row -> row.kind().equals(kind))
                .map(Entry::word)
                .toList();
    }

    /** {@return the places of each kind of word, as in the cell "Where it appears"; none for "nowhere by itself"} */
    static Map<String, List<String>> places() {
        Map<String, List<String>> places = new LinkedHashMap<>();
        KIND.matcher(text()).results().forEach(row -> places.put(row.group(1), split(row.group(2))));
        return places;
    }

    private static List<String> split(String cell) {
        return cell.startsWith(NOWHERE)
                ? List.of()
                : Stream.of(cell.replace("`", "").split(",")).map(String::strip).toList();
    }
}
