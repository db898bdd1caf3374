package dev.holdfast.operator.offline.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TerminalCapabilitiesTest {
    static Stream<Arguments> capabilities() {
        return Stream.of(
                argumentSet("a terminal", true, Map.of("TERM", "xterm"), new TerminalCapabilities(true, true)),
                argumentSet("a terminal without a name", true, Map.of(), new TerminalCapabilities(true, true)),
                argumentSet("NO_COLOR", true, Map.of("NO_COLOR", "1"), new TerminalCapabilities(true, false)),
                argumentSet("an empty NO_COLOR", true, Map.of("NO_COLOR", ""), new TerminalCapabilities(true, true)),
                argumentSet("a dumb terminal", true, Map.of("TERM", "dumb"), TerminalCapabilities.NONE),
                argumentSet("a file or a pipe", false, Map.of("TERM", "xterm"), TerminalCapabilities.NONE));
    }

    @ParameterizedTest
    @MethodSource
    void capabilities(boolean terminal, Map<String, String> environment, TerminalCapabilities expected) {
        assertThat(TerminalCapabilities.of(terminal, environment)).isEqualTo(expected);
    }

    @Test
    void onlyATerminalWithColoursGetsEscapeCodes() {
        assertThat(new TerminalCapabilities(true, true).green("ok")).isEqualTo("\u001b[32mok\u001b[0m");
        assertThat(new TerminalCapabilities(true, false).green("ok")).isEqualTo("ok");
    }
}
