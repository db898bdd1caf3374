package dev.holdfast.policies.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StringSetTest {
    @Test
    void eachStringIsThereOnceInNaturalOrder() {
        Set<String> set = StringSet.of(List.of("web", "db", "web", "cache"));

        assertThat(set).containsExactly("cache", "db", "web");
        assertThat(set.contains("db")).isTrue();
        assertThat(set.contains("d")).isFalse();
    }

    @Test
    void setsOfTheSameStringsAreEqual() {
        assertThat(StringSet.of(List.of("a", "b")))
                .isEqualTo(StringSet.of(List.of("b", "a")))
                .isEqualTo(Set.of("a", "b"))
                .hasSameHashCodeAs(Set.of("a", "b"));
        assertThat(StringSet.of(List.of("a"))).isEqualTo(Set.of("a"));
    }
}
