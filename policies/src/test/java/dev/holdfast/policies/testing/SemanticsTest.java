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
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the rule IDs of docs/semantics.md and docs/scoring.md with tests and code. Every ID of their tables
 * begins the name of some test row, and every ID that begins the name of a test row is in a table. Every ID that
 * the code names is on a page, and the code names all IDs in the last section of docs/semantics.md. No two rows of
 * one test table share a name.
 *
 * <p>Rows are the named argument sets of the methods that a {@link MethodSource} of the same class names, as
 * JUnit runs them.
 */
class SemanticsTest {
    private static final Path ROOT = Path.of("..");
    private static final String WITHOUT_ROWS = "## Decisions and limits";
    private static final String ID = "(?:SC-)?[A-Z]+-\\d+";
    private static final Pattern IDS = Pattern.compile("(" + ID + "(?:, " + ID + ")*): .+");
    private static final Pattern LISTED =
            Pattern.compile("(?m)^\\| <a id=\"([a-z-]+-\\d+)\"></a>(" + ID + ") \\| .+\\. \\|$");

    /** An ID in the code; excludes encodings, hashes, enhancements and bugs of the JDK, whose names have that form. */
    private static final Pattern NAMED =
            Pattern.compile("(?<!-)\\b(?!UTF-|SHA-|ISO-|KEP-|JDK-)(?:SC-)?[A-Z]{1,3}-\\d+\\b");

    /** One row of a test table: the method that provides it, and its name. */
    private record Row(String table, String name) {
        List<String> ids() {
            Matcher matcher = IDS.matcher(name);
            return matcher.matches() ? List.of(matcher.group(1).split(", ")) : List.of();
        }
    }

    @Test
    void everyIdHasARowAndEveryRowAKnownId() throws Exception {
        assertThat(rows().stream().flatMap(row -> row.ids().stream()).distinct())
                .as("the IDs with which the names of rows begin")
                .containsExactlyInAnyOrderElementsOf(listed(page().substring(0, page().indexOf(WITHOUT_ROWS))));
    }

    @Test
    void everyIdThatTheCodeNamesIsOnThePage() throws IOException {
        assertThat(listed(page())).containsAll(namedByTheCode());
    }

    @Test
    void theCodeNamesEveryIdWithoutARow() throws IOException {
        List<String> withoutRows = listed(page().substring(page().indexOf(WITHOUT_ROWS)));

        assertThat(withoutRows).isNotEmpty();
        assertThat(namedByTheCode()).containsAll(withoutRows);
    }

    @Test
    void everyIdOfThePageHasItsAnchor() throws IOException {
        assertThat(LISTED.matcher(page()).results())
                .isNotEmpty()
                .allSatisfy(
                        row -> assertThat(row.group(1)).isEqualTo(row.group(2).toLowerCase(Locale.ROOT)));
        assertThat(page().lines().filter(line -> line.startsWith("| <a"))).hasSameSizeAs(listed(page()));
    }

    @Test
    void noTwoRowsOfATableShareAName() throws Exception {
        Set<Row> known = new HashSet<>();
        assertThat(rows().stream().filter(row -> !known.add(row))).isEmpty();
    }

    /** {@return both pages; the IDs without a row are at the end} */
    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/scoring.md")) + Files.readString(ROOT.resolve("docs/semantics.md"));
    }

    /** {@return the IDs in the first column of the page's tables, in order} */
    private static List<String> listed(String page) {
        return LISTED.matcher(page).results().map(row -> row.group(2)).toList();
    }

    private static Set<String> namedByTheCode() throws IOException {
        Set<String> named = new TreeSet<>();
        for (String module : List.of("policies", "crds", "operator")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(it -> it.toString().endsWith(".java")).toList()) {
                    NAMED.matcher(Files.readString(file)).results().forEach(id -> named.add(id.group()));
                }
            }
        }
        return named;
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
