package dev.holdfast.policies.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompactMapTest {
    private static final int CHANGES = 20_000;

    /** A key of which many have the same hash code. */
    private record Key(int number) {
        @Override
        public int hashCode() {
            return number / 4;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void afterAnyHistoryItHasWhatAHashMapHas(long seed) {
        Random random = new Random(seed);
        Map<Key, Integer> expected = new HashMap<>();
        CompactMap<Key, Integer> map = new CompactMap<>();
        for (int i = 0; i < CHANGES; i++) {
            Key key = new Key(random.nextInt(400));
            // It grows at first, then shrinks.
            if (random.nextInt(CHANGES) > i) {
                assertThat(map.put(key, i)).isEqualTo(expected.put(key, i));
            } else {
                assertThat(map.remove(key)).isEqualTo(expected.remove(key));
            }
            Key other = new Key(random.nextInt(400));
            assertThat(map.get(other)).isEqualTo(expected.get(other));
            assertThat(map.containsKey(other)).isEqualTo(expected.containsKey(other));
            assertThat(map).hasSize(expected.size());
            if (i % 500 == 0) {
                assertThat(map).isEqualTo(expected);
            }
        }
        assertThat(map).isEqualTo(expected);
    }

    @Test
    void aMapThatLosesItsEntriesGivesItsPlacesBack() {
        CompactMap<Integer, Integer> map = new CompactMap<>();
        IntStream.range(0, 10_000).forEach(i -> map.put(i, i));
        assertThat(map.places()).isBetween(10_000, 20_000);
        IntStream.range(100, 10_000).forEach(map::remove);
        assertThat(map.places()).isLessThanOrEqualTo(800);
        assertThat(map).hasSize(100).containsEntry(99, 99);
    }

    @Test
    void whatMapsDoByDefaultWorks() {
        CompactMap<String, Integer> map = new CompactMap<>();
        map.merge("a", 1, Integer::sum);
        map.merge("a", 2, Integer::sum);
        map.putIfAbsent("b", 5);
        map.computeIfPresent("b", (_, _) -> null);
        assertThat(map.remove("a", 4)).isFalse();
        assertThat(map).isEqualTo(Map.of("a", 3));
        assertThat(map.getOrDefault("b", 7)).isEqualTo(7);
        map.clear();
        assertThat(map).isEmpty();
        assertThat(map.get("a")).isNull();
    }

    @Test
    void aViewDoesNotChangeTheMap() {
        CompactMap<String, Integer> map = new CompactMap<>();
        map.put("a", 1);
        Iterator<Map.Entry<String, Integer>> entries = map.entrySet().iterator();
        Map.Entry<String, Integer> entry = entries.next();
        for (Runnable change : List.<Runnable>of(
                entries::remove, () -> entry.setValue(2), () -> map.values().removeIf(_ -> true))) {
            assertThatThrownBy(change::run).isInstanceOf(UnsupportedOperationException.class);
        }
        assertThatThrownBy(entries::next).isInstanceOf(NoSuchElementException.class);
        assertThat(map).isEqualTo(Map.of("a", 1));
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullIsNeitherKeyNorValue() {
        CompactMap<String, Integer> map = new CompactMap<>();
        assertThatNullPointerException().isThrownBy(() -> map.put("a", null));
        assertThatNullPointerException().isThrownBy(() -> map.get(null));
        assertThat(map).isEmpty();
    }
}
