package dev.holdfast.operator.offline.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ColumnsTest {
    static Stream<Arguments> shortTexts() {
        return Stream.of(
                argumentSet("as wide as allowed: whole", "ten column", "ten column"),
                argumentSet("a comma in the second half: ends there", "one two, three", "one two"),
                argumentSet("a colon right after the width: ends there", "ten column: more", "ten column"),
                argumentSet("a comma only in the first half: ellipsis", "a, bcd efgh", "a, bcd..."),
                argumentSet("a colon within a word: ellipsis", "at 10:15:20 now", "at..."),
                argumentSet("one long word: cut", "abcdefghijklm", "abcdefg..."));
    }

    @ParameterizedTest
    @MethodSource
    void shortTexts(String text, String expected) {
        assertThat(Columns.shorten(text, 10)).isEqualTo(expected);
    }

    static Stream<Arguments> wrappedTexts() {
        return Stream.of(
                argumentSet("nothing: one empty line", "", List.of("")),
                argumentSet("as wide as allowed: one line", "ten column", List.of("ten column")),
                argumentSet("wider: broken between words", "ten columns wide", List.of("ten", "columns", "wide")),
                argumentSet("one long word: broken in it", "abcdefghijklm", List.of("abcdefghij", "klm")));
    }

    @ParameterizedTest
    @MethodSource
    void wrappedTexts(String text, List<String> expected) {
        assertThat(Columns.wrap(text, 10)).isEqualTo(expected);
    }
}
