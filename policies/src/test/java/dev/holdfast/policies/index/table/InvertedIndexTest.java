package dev.holdfast.policies.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InvertedIndexTest {
    private final InvertedIndex<String> invertedIndex = new InvertedIndex<>();

    @Test
    void whatIsFiledUnderAWordIsFoundUnderItAloneInTheOrderItCame() {
        invertedIndex.add("web", "first");
        invertedIndex.add("web", "second");
        invertedIndex.add("db", "third");
        assertThat(invertedIndex.under("web")).containsExactly("first", "second");
        assertThat(invertedIndex.under("db")).containsExactly("third");
        assertThat(invertedIndex.under("cache")).isEmpty();
        assertThat(invertedIndex.keyCount()).isEqualTo(2);
    }

    @Test
    void whatIsFiledTwiceStandsThereOnce() {
        invertedIndex.add("web", "first");
        invertedIndex.add("web", "first");
        assertThat(invertedIndex.under("web")).containsExactly("first");
    }

    @Test
    void aWordGoesWithTheLastThatIsFiledUnderIt() {
        invertedIndex.add("web", "first");
        invertedIndex.add("web", "second");
        invertedIndex.remove("web", "first");
        assertThat(invertedIndex.under("web")).containsExactly("second");
        invertedIndex.remove("web", "second");
        assertThat(invertedIndex.isEmpty()).isTrue();
    }

    @Test
    void afterTheLastIsTakenOutOthersCanBeFiled() {
        invertedIndex.add("web", "first");
        invertedIndex.remove("web", "first");
        assertThat(invertedIndex.isEmpty()).isTrue();
        invertedIndex.add("db", "second");
        invertedIndex.add("web", "third");
        invertedIndex.remove("db", "second");
        invertedIndex.add("web", "fourth");
        assertThat(invertedIndex.under("web")).containsExactly("third", "fourth");
        assertThat(invertedIndex.all()).hasSize(1);
    }

    @Test
    void takingOutWhatIsNotThereChangesNothing() {
        invertedIndex.add("web", "first");
        invertedIndex.remove("web", "stranger");
        invertedIndex.remove("db", "first");
        assertThat(invertedIndex.under("web")).containsExactly("first");
    }
}
