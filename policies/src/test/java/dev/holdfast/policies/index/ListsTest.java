package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Facts.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The lists that grow with pods and rules, and shrink with them. */
class ListsTest {
    private static final int MANY = 1000;

    private final Variant variant =
            new Variant(new LabelClass(new NamespaceEntry("shop"), Labels.none()), Labels.none());

    private List<PodEntry> entries() {
        List<PodEntry> entries = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            PodEntry entry = new PodEntry(pod("web-" + i), variant);
            entry.seats = new @Nullable Group[1];
            entry.places = new int[1];
            entries.add(entry);
        }
        return entries;
    }

    @Test
    void a_list_of_pods_scaled_up_and_down_has_the_room_of_one_never_scaled() {
        PodList scaled = new PodList((pod, place) -> pod.placeInVariant = place);
        PodList never = new PodList((pod, place) -> pod.placeOnNode = place);
        List<PodEntry> entries = entries();
        never.add(entries.getFirst());
        entries.forEach(scaled::add);
        entries.subList(1, MANY).forEach(entry -> scaled.remove(entry.placeInVariant));
        assertThat(scaled).containsExactly(entries.getFirst());
        assertThat(scaled.room()).isEqualTo(never.room()).isPositive();
    }

    @Test
    void a_group_scaled_up_and_down_has_the_room_of_a_few_holders() {
        Group group = new Group.Broken();
        List<PodEntry> entries = entries();
        entries.forEach(entry -> entry.sit(0, group));
        assertThat(group.room()).isGreaterThanOrEqualTo(MANY);
        entries.subList(1, MANY).forEach(entry -> entry.rise(0));
        assertThat(group.size()).isEqualTo(1);
        assertThat(group.room()).isLessThanOrEqualTo(5);
    }

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

    @Test
    void rules_that_match_come_and_leave_in_any_order_few_or_many() {
        Matches matches = new Matches();
        List<LiveRule> rules = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            rules.add(new LiveNodeRule(new Rule.NodeAffinity(Labels.of("disk", "d" + i), Optional.empty())));
        }
        rules.forEach(matches::add);
        Collections.shuffle(rules, new Random(7));
        while (!rules.isEmpty()) {
            LiveRule gone = rules.removeLast();
            matches.remove(gone);
            assertThat(matches.has(gone)).isFalse();
            if (rules.size() % 100 < 10) {
                List<LiveRule> left = new ArrayList<>();
                matches.forEach(left::add);
                assertThat(left).containsExactlyInAnyOrderElementsOf(rules);
                assertThat(rules).allMatch(matches::has);
            }
        }
    }
}
