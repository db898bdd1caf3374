package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lines of comments and of code have at most 120 columns. The formatter wraps code, and leaves comments alone. */
class LineWidthTest {
    private static final int COLUMNS = 120;

    @Test
    void noLineOfACommentOrOfCodeIsWide() {
        assertThat(JavaSource.below(Path.of("")).stream()
                        .flatMap(source -> wideLines(source).map(line -> source.path() + ": " + line)))
                .isEmpty();
    }

    @Test
    void aWideCommentAndWideCodeAreFoundAndTextsAreNot() {
        String wide = "x".repeat(COLUMNS);
        String source = """
            /** %1$s */
            class Sample {
                // %1$s
                int %1$s = 1;
                String text = "%1$s";
                String block = \"""
                    %1$s
                    \""";
                // "
                int narrow%2$s;
            }
            """.formatted(wide, "x".repeat(COLUMNS - "    int narrow;".length()));

        assertThat(wideLines(new JavaSource(Path.of("Sample.java"), source)))
                .containsExactly("/** " + wide + " */", "    // " + wide, "    int " + wide + " = 1;");
    }

    /** {@return the lines that are too wide. A string is as long as what it says, so strings count as empty} */
    private static Stream<String> wideLines(JavaSource source) {
        return source.withoutLiterals().lines().filter(line -> line.codePointCount(0, line.length()) > COLUMNS);
    }
}
