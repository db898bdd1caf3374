package dev.holdfast.policies.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LabelSyntaxTest {
    static Stream<Arguments> keys() {
        return Stream.of(
                argumentSet("a plain name", "disk", true),
                argumentSet("a name of one letter", "a", true),
                argumentSet("a name with inner dash, underscore and dot", "a-b_c.d", true),
                argumentSet("a name with capitals and digits", "Disk9", true),
                argumentSet("a name of the first and last letters and digits", "azAZ09", true),
                argumentSet("a name of 63 characters", "a".repeat(63), true),
                argumentSet("a name of 64 characters is too long", "a".repeat(64), false),
                argumentSet("an empty name", "", false),
                argumentSet("a name that begins with a dash", "-disk", false),
                argumentSet("a name that ends with a dot", "disk.", false),
                argumentSet("a name with a space", "my disk", false),
                argumentSet("a name with a letter beyond ASCII", "größe", false),
                argumentSet("a prefix and a name", "topology.kubernetes.io/zone", true),
                argumentSet("a prefix of one part", "holdfast/keep", true),
                argumentSet("a prefix of the first and last letters and digits", "az09/keep", true),
                argumentSet("a prefix of 253 characters", "a".repeat(253) + "/keep", true),
                argumentSet("a prefix of 254 characters is too long", "a".repeat(254) + "/keep", false),
                argumentSet("an empty prefix", "/keep", false),
                argumentSet("an empty name after a prefix", "holdfast.dev/", false),
                argumentSet("two slashes", "holdfast.dev/a/b", false),
                argumentSet("a prefix with capitals", "Holdfast.dev/keep", false),
                argumentSet("a prefix with an underscore", "hold_fast.dev/keep", false),
                argumentSet("a prefix part that begins with a dash", "holdfast.-dev/keep", false),
                argumentSet("a prefix part that ends with a dash", "holdfast-.dev/keep", false),
                argumentSet("a prefix with an inner dash", "hold-fast.dev/keep", true),
                argumentSet("a prefix with an empty part", "holdfast..dev/keep", false),
                argumentSet("a prefix that ends with a dot", "holdfast.dev./keep", false));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void key(String key, boolean expected) {
        assertThat(LabelSyntax.isKey(key)).isEqualTo(expected);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                argumentSet("an empty value", "", true),
                argumentSet("a value of one digit", "7", true),
                argumentSet("a value with inner dash, underscore and dot", "a-b_c.D", true),
                argumentSet("a value of 63 characters", "a".repeat(63), true),
                argumentSet("a value of 64 characters is too long", "a".repeat(64), false),
                argumentSet("a negative number begins with a dash", "-5", false),
                argumentSet("a plus sign is neither letter nor digit", "+5", false),
                argumentSet("a value with a slash", "a/b", false),
                argumentSet("a value that ends with an underscore", "a_", false),
                argumentSet("a value with a line break", "a\n", false));
    }

    @ParameterizedTest
    @MethodSource("values")
    void value(String value, boolean expected) {
        assertThat(LabelSyntax.isValue(value)).isEqualTo(expected);
    }
}
