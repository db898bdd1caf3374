package dev.holdfast.operator.offline.policytest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How two lists deviate. Entries are written as letters with numbers: {@code p1 n2} has pod 1 and node 2. A deviation
 * begins with {@code -} if an entry is missing, with {@code +} if one is unexpected, and with {@code ~} if the order is
 * another one.
 */
class DeviationTest {
    private static Entry entry(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : text.split(" ")) {
            if (!field.isEmpty()) {
                fields.put(field.substring(0, 1), field.substring(1));
            }
        }
        return new Entry(fields);
    }

    private static List<Entry> entries(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(", ?", -1)).map(DeviationTest::entry).toList();
    }

    private static List<String> between(Entry.Subject subject, String expected, String found) {
        return Deviation.between(Duration.ZERO, subject, entries(expected), entries(found)).stream()
                .map(deviation -> switch (deviation.difference()) {
                            case MISSING -> "-";
                            case UNEXPECTED -> "+";
                            case MISPLACED -> "~";
                        }
                        + String.join(
                                " ",
                                deviation.entry().fields().entrySet().stream()
                                        .map(field -> field.getKey() + field.getValue())
                                        .toList()))
                .toList();
    }

    static Stream<Arguments> unordered() {
        return Stream.of(
                argumentSet("the same in another order", "p1, p2", "p2, p1", List.of()),
                argumentSet("an entry without a field is met by any", "n1", "p1 n1", List.of()),
                argumentSet("an entry meets one expectation only", "p1, p1", "p1", List.of("-p1")),
                argumentSet("two of the same are found, and one is expected", "p1", "p1, p1", List.of("+p1")),
                argumentSet("the expectation with more fields chooses first", "n1, p1 n1", "p1 n1, p2 n1", List.of()),
                argumentSet(
                        "an expectation gives way to one that nothing else meets", "p1, n1", "p1 n1, p1 n2", List.of()),
                argumentSet("another value", "p1 n1", "p1 n2", List.of("-p1 n1", "+p1 n2")),
                argumentSet("a field that was not found", "p1 t1", "p1", List.of("-p1 t1", "+p1")));
    }

    @ParameterizedTest
    @MethodSource
    void unordered(String expected, String found, List<String> deviations) {
        assertThat(between(Entry.Subject.HOLDS, expected, found)).isEqualTo(deviations);
    }

    static Stream<Arguments> ordered() {
        return Stream.of(
                argumentSet("the same in order", "p1, p2", "p1, p2", List.of()),
                argumentSet("two that changed places", "p1, p2", "p2, p1", List.of("~p1")),
                argumentSet("one is missing at the beginning", "p1, p2, p3", "p2, p3", List.of("-p1")),
                argumentSet("one is unexpected in the middle", "p1, p3", "p1, p2, p3", List.of("+p2")),
                argumentSet("one is missing at the end", "p1, p2", "p1", List.of("-p2")),
                argumentSet("any, then one of them", ",p2", "p1, p2", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void ordered(String expected, String found, List<String> deviations) {
        assertThat(between(Entry.Subject.EVICTIONS, expected, found)).isEqualTo(deviations);
    }

    @Test
    void longListsAreListedFromTheFirstDifferenceOn() {
        List<Entry> expected = Collections.nCopies(10_000, entry("p1"));
        List<Entry> found = Collections.nCopies(10_000, entry("p2"));

        assertThat(Deviation.between(Duration.ZERO, Entry.Subject.EVICTIONS, expected, found))
                .hasSize(20_000);
    }

    static Stream<Arguments> lines() {
        return Stream.of(
                argumentSet("a name is plain", "shop/web-1", "{x: shop/web-1}"),
                argumentSet("a time is plain", "1h5m", "{x: 1h5m}"),
                argumentSet("a number is quoted", "12", "{x: '12'}"),
                argumentSet("a truth value is quoted", "true", "{x: 'true'}"),
                argumentSet("a quote is doubled", "it's: {", "{x: 'it''s: {'}"));
    }

    @ParameterizedTest
    @MethodSource
    void lines(String value, String yaml) {
        assertThat(new Entry(Map.of("x", value)).yaml()).isEqualTo(yaml);
    }
}
