package dev.holdfast.policies.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the tables of tests to the list of semantics: every ID of the list begins the name of some row, every ID that
 * begins the name of a row is on the list, and no two rows of one table share a name.
 *
 * <p>Rows are the named argument sets of the methods that a {@link MethodSource} of the same class names: the very rows
 * that JUnit runs.
 */
class SemanticsTest {
    private static final Pattern IDS = Pattern.compile("([A-Z]+-\\d+(?:, [A-Z]+-\\d+)*): .+");

    /** One row: the method it comes from, and its name. */
    private record Row(String table, String name) {
        List<String> ids() {
            Matcher matcher = IDS.matcher(name);
            return matcher.matches() ? List.of(matcher.group(1).split(", ")) : List.of();
        }
    }

    @Test
    void every_id_has_a_row_and_every_row_a_known_id() throws Exception {
        assertThat(rows().stream().flatMap(row -> row.ids().stream()).distinct())
                .as("the IDs with which the names of rows begin")
                .containsExactlyInAnyOrderElementsOf(listed());
    }

    @Test
    void no_two_rows_of_a_table_share_a_name() throws Exception {
        Set<Row> known = new HashSet<>();
        assertThat(rows().stream().filter(row -> !known.add(row))).isEmpty();
    }

    /** The first word of each line of the list that is not a comment. */
    private static List<String> listed() throws IOException, URISyntaxException {
        Path list = Path.of(Objects.requireNonNull(SemanticsTest.class.getResource("/semantics-ids.txt"), "no list")
                .toURI());
        return Files.readAllLines(list).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    private static List<Row> rows() throws IOException, URISyntaxException, ReflectiveOperationException {
        Path classes = Path.of(SemanticsTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Path> tests;
        try (Stream<Path> files = Files.walk(classes)) {
            tests = files.filter(file -> file.toString().endsWith("Test.class"))
                    .sorted()
                    .toList();
        }
        List<Row> rows = new ArrayList<>();
        for (Path test : tests) {
            String name = classes.relativize(test).toString().replace('/', '.').replaceFirst("\\.class$", "");
            rows.addAll(rows(Class.forName(name)));
        }
        return rows;
    }

    private static List<Row> rows(Class<?> test) throws ReflectiveOperationException {
        Set<String> run = Stream.of(test.getDeclaredMethods())
                .flatMap(method -> Stream.of(method.getAnnotationsByType(MethodSource.class)))
                .flatMap(source -> Stream.of(source.value()))
                .collect(Collectors.toSet());
        List<Row> rows = new ArrayList<>();
        for (Method method : test.getDeclaredMethods()) {
            if (run.contains(method.getName()) && method.getParameterCount() == 0) {
                method.setAccessible(true);
                String table = test.getSimpleName() + "." + method.getName();
                ((Stream<?>) method.invoke(null))
                        .filter(Arguments.ArgumentSet.class::isInstance)
                        .map(Arguments.ArgumentSet.class::cast)
                        .forEach(row -> rows.add(new Row(table, row.getName())));
            }
        }
        return rows;
    }
}
