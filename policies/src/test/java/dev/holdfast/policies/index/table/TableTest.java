package dev.holdfast.policies.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final int MANY = 1000;

    @Test
    void a_table_scaled_up_and_down_keeps_what_is_left_and_room_for_four_times_as_much() {
        Table<String, String> table = new Table<>(word -> word, String::hashCode);
        List<String> words = IntStream.range(0, MANY).mapToObj(i -> "word-" + i).collect(Collectors.toList());
        words.forEach(table::add);
        Collections.shuffle(words, new Random(7));
        while (!words.isEmpty()) {
            table.remove(words.removeLast());
            table.remove("a word that is not there");
            assertThat(table.size()).isEqualTo(words.size());
            assertThat(table.room()).isBetween(words.size(), Math.max(2, 4 * words.size()));
            if (words.size() % 100 < 10) {
                assertThat(table).containsExactlyInAnyOrderElementsOf(words);
                assertThat(words).allMatch(word -> word.equals(table.get(word)));
            }
        }
        assertThat(table.at(0)).isEmpty();
    }

    @Test
    void things_of_a_table_whose_keys_have_one_hash_are_told_apart() {
        Table<String, String> table = new Table<>(word -> word, String::hashCode);
        assertThat("BB").hasSameHashCodeAs("Aa");
        table.add("Aa");
        assertThat(table.get("BB")).isNull();
        table.add("BB");
        table.remove("Aa");
        assertThat(table.get("Aa")).isNull();
        assertThat(table.get("BB")).isEqualTo("BB");
    }

    @Test
    void every_place_of_a_table_leads_to_the_next_thing() {
        Table<String, String> table = new Table<>(word -> word, String::hashCode);
        List.of("first", "second", "third").forEach(table::add);
        List<String> inOrder = new ArrayList<>();
        table.forEach(inOrder::add);
        List<String> met = new ArrayList<>();
        for (int place = 0; place < 8; place++) {
            table.at(place)
                    .filter(word -> met.isEmpty() || !met.getLast().equals(word))
                    .ifPresent(met::add);
        }
        assertThat(met.subList(0, 3)).containsExactlyElementsOf(inOrder);
        assertThat(table.at(8)).isEqualTo(table.at(0));
    }
}
