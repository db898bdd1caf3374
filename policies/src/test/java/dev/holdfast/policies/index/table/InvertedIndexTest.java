package dev.holdfast.policies.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InvertedIndexTest {
    private final InvertedIndex<String> invertedIndex = new InvertedIndex<>();

    @Test
    void what_is_filed_under_a_word_is_found_under_it_alone_in_the_order_it_came() {
        invertedIndex.add("web", "first");
        invertedIndex.add("web", "second");
        invertedIndex.add("db", "third");
        assertThat(invertedIndex.under("web")).containsExactly("first", "second");
        assertThat(invertedIndex.under("db")).containsExactly("third");
        assertThat(invertedIndex.under("cache")).isEmpty();
        assertThat(invertedIndex.words()).isEqualTo(2);
    }

    @Test
    void what_is_filed_twice_stands_there_once() {
        invertedIndex.add("web", "first");
        invertedIndex.add("web", "first");
        assertThat(invertedIndex.under("web")).containsExactly("first");
    }

    @Test
    void a_word_goes_with_the_last_that_is_filed_under_it() {
        invertedIndex.add("web", "first");
        invertedIndex.add("web", "second");
        invertedIndex.remove("web", "first");
        assertThat(invertedIndex.under("web")).containsExactly("second");
        invertedIndex.remove("web", "second");
        assertThat(invertedIndex.isEmpty()).isTrue();
    }

    @Test
    void taking_out_what_is_not_there_changes_nothing() {
        invertedIndex.add("web", "first");
        invertedIndex.remove("web", "stranger");
        invertedIndex.remove("db", "first");
        assertThat(invertedIndex.under("web")).containsExactly("first");
    }
}
