package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which parts of a line have colors. */
class ColorsTest {
    static Stream<Arguments> lines() {
        return Stream.of(
                argumentSet(
                        "the names of columns are bold",
                        "NAMESPACE   POD   NO VERDICT   CLUSTER-WIDE ANTI-AFFINITY",
                        "<1>NAMESPACE   POD   NO VERDICT   CLUSTER-WIDE ANTI-AFFINITY<0>"),
                argumentSet("also below the first line", "  REQUIRES", "<1>  REQUIRES<0>"),
                argumentSet("a violation is red", "ssd   Violated   disk", "ssd   <31>Violated<0>   disk"),
                argumentSet("a verdict at the end has its color too", "ssd   Satisfied", "ssd   <32>Satisfied<0>"),
                argumentSet("a missing verdict is yellow", "Undetermined   2", "<33>Undetermined<0>   2"),
                argumentSet(
                        "a word in a sentence is no verdict",
                        "web-1   the rule is Violated since 2m",
                        "web-1   the rule is Violated since 2m"),
                argumentSet("a pod named in upper case letters is none", "web-1   n1", "web-1   n1"),
                argumentSet("an empty line stays empty", "", ""));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void partsOfALineHaveColors(String line, String painted) {
        assertThat(Colors.paint(List.of(line))).containsExactly(painted.replaceAll("<(\\d+)>", "\u001b[$1m"));
    }
}
