package dev.holdfast.policies.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
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
}
