package dev.holdfast.policies.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyedTableTest {
    private static final int MANY = 1000;

    @Test
    void aTableScaledUpAndDownKeepsWhatIsLeftAndRoomForFourTimesAsMuch() {
        KeyedTable<String, String> keyedTable = new KeyedTable<>(word -> word, String::hashCode);
        List<String> words = IntStream.range(0, MANY).mapToObj(i -> "word-" + i).collect(Collectors.toList());
        words.forEach(keyedTable::add);
        Collections.shuffle(words, new Random(7));
        while (!words.isEmpty()) {
            keyedTable.remove(words.removeLast());
            keyedTable.remove("a word that is not contained");
            assertThat(keyedTable.size()).isEqualTo(words.size());
            assertThat(keyedTable.room()).isBetween(words.size(), Math.max(2, 4 * words.size()));
            if (words.size() % 100 < 10) {
                assertThat(keyedTable).containsExactlyInAnyOrderElementsOf(words);
                assertThat(words).allMatch(word -> word.equals(keyedTable.get(word)));
            }
        }
        assertThat(keyedTable.at(0)).isEmpty();
    }

    @Test
    void thingsOfATableWhoseKeysHaveOneHashAreToldApart() {
        KeyedTable<String, String> keyedTable = new KeyedTable<>(word -> word, String::hashCode);
        assertThat("BB").hasSameHashCodeAs("Aa");
        keyedTable.add("Aa");
        assertThat(keyedTable.get("BB")).isNull();
        keyedTable.add("BB");
        keyedTable.remove("Aa");
        assertThat(keyedTable.get("Aa")).isNull();
        assertThat(keyedTable.get("BB")).isEqualTo("BB");
    }

    @Test
    void everyPlaceOfATableLeadsToTheNextThing() {
        KeyedTable<String, String> keyedTable = new KeyedTable<>(word -> word, String::hashCode);
        List.of("first", "second", "third").forEach(keyedTable::add);
        List<String> inOrder = new ArrayList<>();
        keyedTable.forEach(inOrder::add);
        List<String> met = new ArrayList<>();
        for (int place = 0; place < 8; place++) {
            keyedTable
                    .at(place)
                    .filter(word -> met.isEmpty() || !met.getLast().equals(word))
                    .ifPresent(met::add);
        }
        assertThat(met.subList(0, 3)).containsExactlyElementsOf(inOrder);
        assertThat(keyedTable.at(8)).isEqualTo(keyedTable.at(0));
    }
}
