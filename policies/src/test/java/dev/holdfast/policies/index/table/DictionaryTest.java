package dev.holdfast.policies.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DictionaryTest {
    private static final Labels WEB = Labels.of("app", "web");

    private final Dictionary dictionary = new Dictionary();

    @Test
    void a_word_is_kept_once_and_forgotten_with_the_last_labels_that_have_it() {
        Labels first = dictionary.acquire(WEB);
        Labels second = dictionary.acquire(Labels.of("app", String.join("", "w", "eb")));
        assertThat(first).isEqualTo(WEB).isEqualTo(second);
        assertThat(second.value(0)).isSameAs(first.value(0));
        dictionary.release(first);
        assertThat(dictionary.isEmpty()).isFalse();
        dictionary.release(second);
        assertThat(dictionary.isEmpty()).isTrue();
    }

    @Test
    void a_key_is_kept_once_for_all_its_values_and_forgotten_with_the_last_of_them() {
        Labels web = dictionary.acquire(WEB);
        Labels cache = dictionary.acquire(Labels.of(String.join("", "a", "pp"), "cache"));
        assertThat(cache.key(0)).isSameAs(web.key(0));
        dictionary.release(web);
        Labels queue = dictionary.acquire(Labels.of(String.join("", "ap", "p"), "queue"));
        assertThat(queue.key(0)).isSameAs(cache.key(0));
        dictionary.release(cache);
        dictionary.release(queue);
        assertThat(dictionary.isEmpty()).isTrue();
    }

    @Test
    void labels_whose_pairs_have_one_hash_are_told_apart() {
        Labels one = Labels.of("k", "Aa");
        Labels other = Labels.of("k", "BB");
        assertThat(dictionary.acquire(one)).isEqualTo(one);
        assertThat(dictionary.acquire(other)).isEqualTo(other);
        assertThat(dictionary.acquire(Labels.of("k", "Aa"))).isNotEqualTo(other);
    }

    /** Where each took as long as there are others of its hash, this would take minutes. */
    @Test
    void thousands_of_labels_of_one_hash_come_and_go() {
        List<Labels> all = IntStream.range(0, 1 << 14)
                .mapToObj(i -> Labels.of(ofOneHash(i), "x"))
                .toList();
        assertThat(all.stream().map(Labels::hashCode).distinct()).hasSize(1);

        List<Labels> kept = all.stream().map(dictionary::acquire).toList();
        assertThat(kept).isEqualTo(all);
        kept.forEach(dictionary::release);

        assertThat(dictionary.isEmpty()).isTrue();
    }

    private static String ofOneHash(int bits) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < 14; i++) {
            word.append((bits >> i & 1) == 0 ? "Aa" : "BB");
        }
        return word.toString();
    }
}
