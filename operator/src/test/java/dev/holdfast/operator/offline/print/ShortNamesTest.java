package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How names that stand side by side are shortened to 15 characters. */
class ShortNamesTest {
    static Stream<Arguments> names() {
        return Stream.of(
                argumentSet("short names stay", List.of("node-1", "node-2"), List.of("node-1", "node-2"), ""),
                argumentSet(
                        "a common start and end are dropped",
                        List.of("ip-10-0-3-7.eu-west-1.internal", "ip-10-0-4-9.eu-west-1.internal"),
                        List.of("3-7", "4-9"),
                        "Names of nodes are written without ip-10-0- at the start and .eu-west-1.internal at the end."),
                argumentSet(
                        "a part of a word is not dropped",
                        List.of("production-alpha-1", "production-alpine-2"),
                        List.of("alpha-1", "alpine-2"),
                        "Names of nodes are written without production- at the start."),
                argumentSet(
                        "only an end in common",
                        List.of("a.example.internal", "b.example.internal"),
                        List.of("a", "b"),
                        "Names of nodes are written without .example.internal at the end."),
                argumentSet(
                        "what is still long is cut in the middle",
                        List.of("gke-prod-default-pool-1a2b3c4d-x7k2", "gke-prod-spot-9"),
                        List.of("default\u20264d-x7k2", "spot-9"),
                        "Names of nodes are written without gke-prod- at the start."),
                argumentSet(
                        "one name alone is cut",
                        List.of("abcdefghijklmnopqrstuvwxyz"),
                        List.of("abcdefg\u2026tuvwxyz"),
                        ""),
                argumentSet(
                        "nothing of a name is left",
                        List.of("pool-of-many-nodes-", "pool-of-many-nodes-1"),
                        List.of("pool-of\u2026-nodes-", "pool-of\u2026nodes-1"),
                        ""),
                argumentSet("no names", List.of(), List.of(), ""));
    }

    @ParameterizedTest
    @MethodSource("names")
    void namesAreShort(List<String> names, List<String> expected, String note) {
        ShortNames shortNames = new ShortNames(names, 15);

        assertThat(names.stream().map(shortNames::of)).containsExactlyElementsOf(expected);
        assertThat(shortNames.note()).isEqualTo(note);
    }
}
