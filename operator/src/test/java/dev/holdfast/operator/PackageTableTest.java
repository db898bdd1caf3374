package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The table in CONTRIBUTING.md has every package, with the first sentence of its page.
 * {@code -Dholdfast.packages.write=true} writes it.
 */
class PackageTableTest {
    private static final Path PAGE = JavaSource.ROOT.resolve("CONTRIBUTING.md");
    private static final String BEGIN = "<!-- Written by PackageTableTest from the package pages. -->\n";
    private static final String END = "<!-- End of the packages. -->\n";

    /** Where the packages of each module are. The module it/tests has tests alone. */
    private static final List<String> FOLDERS = List.of(
            "policies/src/main/java",
            "crds/src/main/java",
            "operator/src/main/java",
            "charts/src/main/java",
            "it/testkit/src/main/java",
            "it/tests/src/test/java",
            "it/schedules/src/main/java",
            "it/benchmarks/src/main/java");

    @Test
    void theTableHasEachPackageWithItsFirstSentence() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        String wanted = page.substring(0, begin) + table() + page.substring(end);
        if (Boolean.getBoolean("holdfast.packages.write")) {
            Files.writeString(PAGE, wanted);
        }
        assertThat(PAGE).content().isEqualTo(wanted);
    }

    @Test
    void everyModuleWithSourcesIsInTheTable() {
        assertThat(JavaSource.below(Path.of("")).stream()
                        .map(source -> source.path().toString())
                        .filter(path -> path.contains("/src/"))
                        .map(path -> path.replaceFirst("/src/.*", ""))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(FOLDERS.stream()
                        .map(folder -> folder.replaceFirst("/src/.*", ""))
                        .toList());
    }

    @Test
    void aRowHasTheFirstSentenceOfThePageInMarkdown() {
        List<JavaSource> sources = List.of(
                page("late", "/** Uses {@link sample.early.Early} | {@code x.y}. More. */"),
                page("early", """
                    /**
                     * Reads what v1.2 of {@code early}
                     * has.
                     *
                     * <p>More.
                     */
                    """),
                page("unordered", "/** Other. */"));

        assertThat(PackagePages.table(sources, List.of("sample.early", "sample.late")))
                .isEqualTo("""
                    | [`sample.early`](policies/src/main/java/sample/early) | Reads what v1.2 of `early` has. |
                    | [`sample.late`](policies/src/main/java/sample/late) | Uses `Early` \\| `x.y`. |
                    | [`sample.unordered`](policies/src/main/java/sample/unordered) | Other. |
                    """);
    }

    @Test
    void aPackageWithoutAPageIsRefused() {
        List<JavaSource> sources =
                List.of(new JavaSource(Path.of("policies/src/main/java/sample/bare/Bare.java"), "class Bare {}"));

        assertThatIllegalStateException()
                .isThrownBy(() -> PackagePages.table(sources, List.of()))
                .withMessage("package sample.bare has no page: its package-info.java needs a comment");
        assertThatIllegalStateException()
                .isThrownBy(() -> PackagePages.table(List.of(page("bare", "package sample.bare;")), List.of()))
                .withMessage("package sample.bare has no page: its package-info.java needs a comment");
    }

    private static JavaSource page(String room, String text) {
        return new JavaSource(Path.of("policies/src/main/java/sample", room, "package-info.java"), text);
    }

    private static String table() {
        List<String> order = RoomsTest.ORDER.entrySet().stream()
                .flatMap(module -> module.getValue().stream().map(room -> module.getKey() + "." + room))
                .toList();
        StringBuilder table = new StringBuilder("\n| Package | What it is |\n|---|---|\n");
        FOLDERS.forEach(folder -> table.append(PackagePages.table(JavaSource.below(Path.of(folder)), order)));
        return table.append('\n').toString();
    }
}
