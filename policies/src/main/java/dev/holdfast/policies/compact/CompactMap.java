package dev.holdfast.policies.compact;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hash map with open addressing and linear probing, which takes half of the memory of a {@code HashMap}. It has no
 * null keys or values, and its views are read-only.
 *
 * <p>For keys whose hash codes no tenant can choose, such as those with a pod UID: many equal hash codes make it slow.
 */
public final class CompactMap<K, V> extends AbstractMap<K, V> {
    private static final int FIRST_LENGTH = 8;

    /** Spreads hash codes over the upper bits: 2^32 divided by the golden ratio. */
    private static final int SPREAD = 0x9E3779B9;

    /**
     * Keys at even indices, each followed by its value. The length is a power of two. The search for a key starts at
     * the index that its hash code gives, and ends at the first free index.
     */
    private @Nullable Object[] table = new @Nullable Object[FIRST_LENGTH];

    private int size;

    @Override
    public @Nullable V get(@Nullable Object key) {
        return valueAt(indexOf(Objects.requireNonNull(key)));
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return table[indexOf(Objects.requireNonNull(key))] != null;
    }

    @Override
    public @Nullable V put(K key, V value) {
        Objects.requireNonNull(value);
        int at = indexOf(Objects.requireNonNull(key));
        V before = valueAt(at);
        if (before == null) {
            table[at] = key;
            size++;
        }
        table[at + 1] = value;
        // At most three of four places are taken.
        if (size * 8 > table.length * 3) {
            resize(table.length * 2);
        }
        return before;
    }

    /** {@inheritDoc} Later entries move up to close the gap. */
    @Override
    public @Nullable V remove(@Nullable Object key) {
        int gap = indexOf(Objects.requireNonNull(key));
        V before = valueAt(gap);
        if (before == null) {
            return null;
        }
        free(gap);
        size--;
        for (int at = next(gap); table[at] != null; at = next(at)) {
            Object moved = Objects.requireNonNull(table[at]);
            Object value = table[at + 1];
            free(at);
            store(moved, value);
        }
        if (table.length > FIRST_LENGTH && size * 16 < table.length) {
            resize(table.length / 2);
        }
        return before;
    }

    @Override
    public void clear() {
        table = new @Nullable Object[FIRST_LENGTH];
        size = 0;
    }

    @Override
    public int size() {
        return size;
    }

    /** {@return the number of places for entries; of a large map, at most eight times as many as it has entries} */
    int places() {
        return table.length / 2;
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<K, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /** The entries, in the order of the table; the map must not be changed meanwhile. */
    private final class Entries implements Iterator<Map.Entry<K, V>> {
        private int at = taken(0);

        private int taken(int from) {
            int index = from;
            while (index < table.length && table[index] == null) {
                index += 2;
            }
            return index;
        }

        @Override
        public boolean hasNext() {
            return at < table.length;
        }

        @Override
        @SuppressWarnings("unchecked")
        public Map.Entry<K, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Map.Entry<K, V> entry = Map.entry((K) Objects.requireNonNull(table[at]), (V) table[at + 1]);
            at = taken(at + 2);
            return entry;
        }
    }

    @SuppressWarnings("unchecked")
    private @Nullable V valueAt(int index) {
        return (V) table[index + 1];
    }

    private void free(int index) {
        table[index] = null;
        table[index + 1] = null;
    }

    private void store(Object key, @Nullable Object value) {
        int at = indexOf(key);
        table[at] = key;
        table[at + 1] = value;
    }

    private void resize(int length) {
        @Nullable Object[] before = table;
        table = new @Nullable Object[length];
        for (int i = 0; i < before.length; i += 2) {
            if (before[i] != null) {
                store(before[i], before[i + 1]);
            }
        }
    }

    /** {@return the index of a key, or the free index where it belongs} */
    private int indexOf(Object key) {
        int at = ((key.hashCode() * SPREAD) >>> Integer.numberOfLeadingZeros(table.length / 2 - 1)) << 1;
        while (table[at] != null && !key.equals(table[at])) {
            at = next(at);
        }
        return at;
    }

    private int next(int index) {
        return (index + 2) & (table.length - 1);
    }
}
