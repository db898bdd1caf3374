package dev.holdfast.policies.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostingsTest {
    private final Postings<String> postings = new Postings<>();

    @Test
    void what_is_filed_under_a_word_is_found_under_it_alone_in_the_order_it_came() {
        postings.add("web", "first");
        postings.add("web", "second");
        postings.add("db", "third");
        assertThat(postings.under("web")).containsExactly("first", "second");
        assertThat(postings.under("db")).containsExactly("third");
        assertThat(postings.under("cache")).isEmpty();
        assertThat(postings.words()).isEqualTo(2);
    }

    @Test
    void what_is_filed_twice_stands_there_once() {
        postings.add("web", "first");
        postings.add("web", "first");
        assertThat(postings.under("web")).containsExactly("first");
    }

    @Test
    void a_word_goes_with_the_last_that_is_filed_under_it() {
        postings.add("web", "first");
        postings.add("web", "second");
        postings.remove("web", "first");
        assertThat(postings.under("web")).containsExactly("second");
        postings.remove("web", "second");
        assertThat(postings.isEmpty()).isTrue();
    }

    @Test
    void taking_out_what_is_not_there_changes_nothing() {
        postings.add("web", "first");
        postings.remove("web", "stranger");
        postings.remove("db", "first");
        assertThat(postings.under("web")).containsExactly("first");
    }
}
