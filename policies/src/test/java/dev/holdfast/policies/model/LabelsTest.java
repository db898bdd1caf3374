package dev.holdfast.policies.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LabelsTest {
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String ZONE = "topology.kubernetes.io/zone";

    /** A key between the two keys of node pairs in natural order. */
    private static final String BETWEEN = "topology.kubernetes.io/row";

    private static final Labels SEVERAL = Labels.of("tier", "front", "app", "web", "zone", "", "b", "2");

    static Stream<Arguments> lookups() {
        return Stream.of(
                argumentSet("the first key in order", "app", Optional.of("web")),
                argumentSet("the second key in order", "b", Optional.of("2")),
                argumentSet("the third key in order", "tier", Optional.of("front")),
                argumentSet("W-7: an empty value is a value", "zone", Optional.of("")),
                argumentSet("a key before all others", "a", Optional.empty()),
                argumentSet("a key between others", "c", Optional.empty()),
                argumentSet("a key after all others", "zzz", Optional.empty()),
                argumentSet("a key in other capitals", "App", Optional.empty()),
                argumentSet("a value is no key", "web", Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("lookups")
    void get(String key, Optional<String> expected) {
        assertThat(SEVERAL.get(key)).isEqualTo(expected);
        assertThat(SEVERAL.has(key)).isEqualTo(expected.isPresent());
        assertThat(SEVERAL.has(key, "no such value")).isFalse();
        expected.ifPresent(value -> assertThat(SEVERAL.has(key, value)).isTrue());
        assertThat(Labels.none().get(key)).isEmpty();
        assertThat(Labels.none().has(key)).isFalse();
    }

    @Test
    void keysAreInNaturalOrderWhateverTheOrderSaid() {
        assertThat(IntStream.range(0, SEVERAL.size()).mapToObj(SEVERAL::key))
                .containsExactly("app", "b", "tier", "zone");
        assertThat(IntStream.range(0, SEVERAL.size()).mapToObj(SEVERAL::value))
                .containsExactly("web", "2", "front", "");
        assertThat(SEVERAL).hasToString("app=web,b=2,tier=front,zone=\"\"");
        Labels other = Labels.of("zone", "", "b", "2", "tier", "front", "app", "web");
        assertThat(other).isEqualTo(SEVERAL).hasSameHashCodeAs(SEVERAL);
    }

    static Stream<Arguments> nodePairs() {
        return Stream.of(
                argumentSet("none", Labels.none(), Labels.none(), Labels.none()),
                argumentSet("of a workload alone", SEVERAL, SEVERAL, Labels.none()),
                argumentSet("of a node alone", Labels.of(ZONE, "a"), Labels.none(), Labels.of(ZONE, "a")),
                argumentSet(
                        "behind all others",
                        Labels.of("app", "web", ZONE, "a"),
                        Labels.of("app", "web"),
                        Labels.of(ZONE, "a")),
                argumentSet(
                        "before, between and behind them",
                        Labels.of("app", "web", REGION, "", BETWEEN, "r", ZONE, "a", "z", "1"),
                        Labels.of("app", "web", BETWEEN, "r", "z", "1"),
                        Labels.of(REGION, "", ZONE, "a")),
                argumentSet(
                        "in any order, the last of two counts",
                        Labels.of(ZONE, "a", "z", "1", ZONE, "b", REGION, "e"),
                        Labels.of("z", "1"),
                        Labels.of(REGION, "e", ZONE, "b")));
    }

    @ParameterizedTest
    @MethodSource("nodePairs")
    void nodePairsAreLabelsLikeOthersAndCanBeTakenApart(Labels all, Labels own, Labels ofNode) {
        assertThat(all.own()).isEqualTo(own);
        assertThat(all.nodePairs()).isEqualTo(ofNode);
        for (Labels before : List.of(own, all, own.withNodePairsOf(Labels.of(REGION, "x", ZONE, "y")))) {
            Labels together = before.withNodePairsOf(ofNode);
            assertThat(together).isEqualTo(all).hasSameHashCodeAs(all).isEqualByComparingTo(all);
            assertThat(together).hasToString(all.toString());
        }
        Map<String, String> map = all.toMap();
        assertThat(all.size()).isEqualTo(map.size());
        assertThat(IntStream.range(0, all.size()).mapToObj(all::key)).containsExactlyElementsOf(map.keySet());
        assertThat(IntStream.range(0, all.size()).mapToObj(all::value)).containsExactlyElementsOf(map.values());
        map.forEach((key, value) -> assertThat(all.get(key)).contains(value));
        assertThat(all.withSharedParts(words(all))).isEqualTo(all).hasSameHashCodeAs(all);
        assertThat(all.isEmpty()).isEqualTo(map.isEmpty());
    }

    private static String[] words(Labels labels) {
        return labels.toMap().entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray(String[]::new);
    }

    @Test
    void labelsWithOtherNodePairsAreOtherLabels() {
        Labels web = Labels.of("app", "web", ZONE, "a");
        assertThat(web).isNotEqualTo(Labels.of("app", "web", ZONE, "b")).isLessThan(Labels.of("app", "web", ZONE, "b"));
        assertThat(web).isNotEqualTo(Labels.of("app", "web", REGION, "a"));
        assertThat(web).isNotEqualTo(web.own()).isGreaterThan(web.own());
        assertThat(web.has(REGION)).isFalse();
        assertThat(web.own().has(ZONE)).isFalse();
        assertThat(SEVERAL.withNodePairsOf(SEVERAL)).isSameAs(SEVERAL);
    }

    @Test
    void otherKeysOrValuesAreOtherLabels() {
        assertThat(Labels.of("app", "web")).isNotEqualTo(Labels.of("app", "db"));
        assertThat(Labels.of("app", "web")).isNotEqualTo(Labels.of("web", "app"));
        assertThat(Labels.of("app", "web")).isNotEqualTo(Labels.of("app", "web", "tier", "front"));
    }

    @Test
    void theMapTheyAreMadeOfAndTheMapTheyGiveAreCopies() {
        Map<String, String> map = new TreeMap<>(Map.of("app", "web"));
        Labels labels = Labels.of(map);
        map.put("tier", "front");
        labels.toMap().put("zone", "a");
        assertThat(labels).isEqualTo(Labels.of("app", "web"));
        assertThat(labels.toMap()).containsExactly(Map.entry("app", "web"));
    }

    @Test
    void noLabelsAreEmpty() {
        assertThat(Labels.of(Map.of())).isSameAs(Labels.none());
        assertThat(Labels.none().isEmpty()).isTrue();
        assertThat(Labels.none().size()).isZero();
        assertThat(Labels.none()).hasToString("");
        assertThat(SEVERAL.isEmpty()).isFalse();
    }

    @Test
    void ofTwoEqualKeysTheLastWins() {
        assertThat(Labels.of("app", "web", "app", "db")).isEqualTo(Labels.of("app", "db"));
    }

    @Test
    void aKeyWithoutAValueIsRefused() {
        assertThatThrownBy(() -> Labels.of("app", "web", "tier"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("labels must be pairs of key and value, got 3 strings");
    }

    @Test
    void labelsOfOneHashHaveAnOrderForAMapToTellThemApartBy() {
        Labels one = Labels.of("app", "AaAa");
        Labels other = Labels.of("app", "BBBB");
        assertThat(one).hasSameHashCodeAs(other).isNotEqualTo(other).isLessThan(other);
        assertThat(one).isEqualByComparingTo(Labels.of("app", "AaAa"));
        assertThat(Labels.none()).isLessThan(one);
    }

    @Test
    void eachOfManyLabelsIsFoundByAnEqualKeyAndByTheVerySame() {
        String[] keysAndValues = new String[80];
        for (int i = 0; i < keysAndValues.length; i += 2) {
            keysAndValues[i] = "key-" + i;
            keysAndValues[i + 1] = "value-" + i;
        }
        Labels many = Labels.of(keysAndValues);

        for (int i = 0; i < keysAndValues.length; i += 2) {
            assertThat(many.get(keysAndValues[i])).contains("value-" + i);
            assertThat(many.get("key-".concat(Integer.toString(i)))).contains("value-" + i);
        }
        assertThat(many.has("key-1")).isFalse();
    }
}
