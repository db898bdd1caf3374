package dev.holdfast.policies.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GoIntegerTest {
    private static final OptionalLong NONE = OptionalLong.empty();

    static Stream<Arguments> rows() {
        return Stream.of(
                argumentSet("zero", "0", OptionalLong.of(0)),
                argumentSet("NA-5: leading zeros are ignored: 007 is 7", "007", OptionalLong.of(7)),
                argumentSet("a negative number", "-5", OptionalLong.of(-5)),
                argumentSet("a plus sign is ignored", "+5", OptionalLong.of(5)),
                argumentSet("the greatest of 64 bits", "9223372036854775807", OptionalLong.of(Long.MAX_VALUE)),
                argumentSet("one more than the greatest is invalid", "9223372036854775808", NONE),
                argumentSet("the least of 64 bits", "-9223372036854775808", OptionalLong.of(Long.MIN_VALUE)),
                argumentSet("one less than the least is invalid", "-9223372036854775809", NONE),
                argumentSet("an empty text is invalid", "", NONE),
                argumentSet("a lone sign is invalid", "-", NONE),
                argumentSet("two signs are invalid", "--5", NONE),
                argumentSet("a fraction is invalid", "7.5", NONE),
                argumentSet("an exponent is invalid", "1e3", NONE),
                argumentSet("underscores between digits are invalid", "1_000", NONE),
                argumentSet("hexadecimal is invalid", "0x10", NONE),
                argumentSet("a space before is invalid", " 7", NONE),
                argumentSet("digits beyond ASCII are invalid", "٧", NONE),
                argumentSet("letters are invalid", "many", NONE));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void parse(String text, OptionalLong expected) {
        assertThat(GoInteger.parse(text)).isEqualTo(expected);
    }
}
