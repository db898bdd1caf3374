package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sentences that are longer than a line, with an indentation of two spaces. */
class LineWidthTest {
    static Stream<Arguments> rows() {
        return Stream.of(
                argumentSet("a text of 10 characters is one line of 10", 10, "n1, n2, n3", List.of("n1, n2, n3")),
                argumentSet("a text of 10 characters is two lines of 9", 9, "n1, n2, n3", List.of("n1, n2,", "  n3")),
                argumentSet(
                        "the indentation counts: two names fit into the first line, one into each other",
                        7,
                        "n1, n2, n3, n4",
                        List.of("n1, n2,", "  n3,", "  n4")),
                argumentSet(
                        "a word that is longer than a line stays whole",
                        5,
                        "on node-1234 now",
                        List.of("on", "  node-1234", "  now")),
                argumentSet("spaces at the beginning stay there", 8, "    n1, n2", List.of("    n1,", "  n2")),
                argumentSet("an empty text is an empty line", 1, "", List.of("")));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aTextIsBrokenAtSpaces(int characters, String text, List<String> lines) {
        assertThat(new LineWidth(characters).wrap(text, "  ")).isEqualTo(lines);
    }
}
