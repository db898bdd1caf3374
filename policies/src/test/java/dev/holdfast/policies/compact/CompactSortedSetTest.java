package dev.holdfast.policies.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompactSortedSetTest {
    private static final int CHANGES = 40_000;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void afterAnyHistoryItHasWhatATreeSetHas(long seed) {
        Random random = new Random(seed);
        TreeSet<Integer> expected = new TreeSet<>();
        CompactSortedSet<Integer> set = new CompactSortedSet<>();
        for (int i = 0; i < CHANGES; i++) {
            int element = random.nextInt(5_000);
            // It grows at first, then shrinks.
            if (random.nextInt(CHANGES) > i) {
                assertThat(set.add(element)).isEqualTo(expected.add(element));
            } else {
                assertThat(set.remove(element)).isEqualTo(expected.remove(element));
            }
            int other = random.nextInt(5_000);
            assertThat(set.contains(other)).isEqualTo(expected.contains(other));
            assertThat(set.size()).isEqualTo(expected.size());
            if (i % 500 == 0) {
                assertThat(List.copyOf(set)).isEqualTo(List.copyOf(expected));
            }
        }
        assertThat(List.copyOf(set)).isEqualTo(List.copyOf(expected));
    }

    @Test
    void aSetThatLosesItsElementsInAnyOrderEndsEmpty() {
        List<Integer> elements = IntStream.range(0, 2_000).boxed().collect(java.util.stream.Collectors.toList());
        CompactSortedSet<Integer> set = new CompactSortedSet<>();
        assertThat(set.addAll(elements)).isTrue();
        assertThat(List.copyOf(set)).isEqualTo(elements);
        Collections.shuffle(elements, new Random(5));
        for (int element : elements) {
            assertThat(set.remove(element)).isTrue();
            assertThat(set.remove(element)).isFalse();
        }
        assertThat(set).isEmpty();
        assertThat(set.add(1)).isTrue();
        assertThat(set).containsExactly(1);
    }

    @Test
    void elementsThatComeInFallingOrderBehindAFullBlockShareBlocks() {
        CompactSortedSet<Integer> set = new CompactSortedSet<>();
        IntStream.range(0, 256).forEach(set::add);
        IntStream.range(0, 10_000).map(i -> 100_000 - i).forEach(set::add);
        assertThat(set.blocks()).isLessThan(10_256 / 64);
        assertThat(List.copyOf(set)).isSorted().hasSize(10_256);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fewElementsThatAreLeftOfManyShareBlocks(boolean fromTheEnd) {
        CompactSortedSet<Integer> set = new CompactSortedSet<>();
        IntStream.range(0, 25_600).forEach(set::add);
        for (int i = 0; i < 25_600; i++) {
            int element = fromTheEnd ? 25_599 - i : i;
            if (element % 256 != 0) {
                set.remove(element);
            }
        }
        assertThat(set.size()).isEqualTo(100);
        assertThat(set.blocks()).isLessThanOrEqualTo(100 / 32 + 1);
    }
}
