package dev.holdfast.policies.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests how messages quote text from objects. */
class QuotedTextTest {
    static Stream<Arguments> texts() {
        return Stream.of(
                argumentSet("an empty text", "", ""),
                argumentSet("60 characters are quoted whole", "x".repeat(60), "x".repeat(60)),
                argumentSet("61 characters are cut off", "x".repeat(61), "x".repeat(57) + "..."),
                argumentSet(
                        "a character of two halves is not cut in two",
                        "x".repeat(56) + "\ud83d\ude00" + "xxxx",
                        "x".repeat(56) + "..."));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aQuoteHasAtMostSixtyCharacters(String text, String quote) {
        assertThat(QuotedText.of(text)).isEqualTo(quote);
    }
}
