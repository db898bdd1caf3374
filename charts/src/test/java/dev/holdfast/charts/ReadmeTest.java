package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The table of values in the chart's README is generated from the {@code # --} lines of values.yaml. */
class ReadmeTest {
    private static final String BEGIN = "<!-- values: written by charts/generate -->\n";
    private static final String END = "<!-- end of values -->\n";

    @Test
    void theTableSaysWhatValuesYamlSays() throws IOException {
        String readme = Chart.file("README.md");
        String before = readme.substring(0, readme.indexOf(BEGIN) + BEGIN.length());
        String after = readme.substring(readme.indexOf(END));
        String wanted = before + table() + after;
        if (Boolean.getBoolean("holdfast.charts.write")) {
            Files.writeString(Chart.FOLDER.resolve("README.md"), wanted);
        }

        assertThat(Chart.file("README.md"))
                .as("charts/generate writes the table")
                .isEqualTo(wanted);
    }

    @Test
    void everyValueIsDescribed() {
        List<String> described = rows().stream().map(Row::path).toList();
        List<String> leaves = new ArrayList<>();
        collectLeaves("", values(), described, leaves);

        assertThat(leaves).containsExactlyInAnyOrderElementsOf(described);
    }

    private record Row(String path, String description) {}

    private static String table() {
        StringBuilder table = new StringBuilder("| Value | Default | What it is |\n|---|---|---|\n");
        for (Row row : rows()) {
            table.append("| `%s` | `%s` | %s |\n".formatted(row.path(), defaultOf(row.path()), row.description()));
        }
        return table.toString();
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        List<String> path = new ArrayList<>();
        String description = "";
        for (String line : Chart.file("values.yaml").lines().toList()) {
            String text = line.strip();
            if (text.startsWith("# -- ")) {
                description = text.substring("# -- ".length());
            } else if (!text.isEmpty() && !text.startsWith("#")) {
                int depth = (line.length() - line.stripLeading().length()) / 2;
                path = new ArrayList<>(path.subList(0, Math.min(depth, path.size())));
                path.add(text.substring(0, text.indexOf(':')));
                if (!description.isEmpty()) {
                    rows.add(new Row(String.join(".", path), description));
                    description = "";
                }
            }
        }
        return rows;
    }

    private static String defaultOf(String path) {
        Object value = values();
        for (String name : path.split("\\.", -1)) {
            value = Objects.requireNonNull(((Map<?, ?>) value).get(name), path);
        }
        return Serialization.asJson(value).replaceAll("\\s+", " ");
    }

    private static Map<?, ?> values() {
        return Chart.read(Chart.file("values.yaml"), Map.class);
    }

    /** Collects the paths with a description, and outside of these the paths of all scalars and lists. */
    private static void collectLeaves(String path, Map<?, ?> values, List<String> described, List<String> leaves) {
        values.forEach((name, value) -> {
            String child = path.isEmpty() ? name.toString() : path + "." + name;
            if (!described.contains(child) && value instanceof Map<?, ?> map && !map.isEmpty()) {
                collectLeaves(child, map, described, leaves);
            } else {
                leaves.add(child);
            }
        });
    }
}
