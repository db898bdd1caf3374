package dev.holdfast.policies.index.table;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A hash table whose elements contain their own key, with open addressing and linear probing. The table has no entry
 * object per element: for a million pods a {@code HashMap} would take 32 MiB more.
 *
 * @param <K> the key; no two elements have equal keys
 */
public final class KeyedTable<K, T> implements Iterable<T> {
    private static final int FIRST_SIZE = 2;

    private final Function<T, K> key;
    private final ToIntFunction<T> hash;

    /**
     * The length of this array is a power of two, at least twice the number of elements. The search for an element
     * starts at the position given by the hash code of its key, and ends at the first free position.
     */
    private @Nullable T[] elements = array(FIRST_SIZE);

    private int size;

    /**
     * @param hash the hash code of an element's key; should be a field of the element, because it is read far more
     *     often than the key itself
     */
    public KeyedTable(Function<T, K> key, ToIntFunction<T> hash) {
        this.key = key;
        this.hash = hash;
    }

    /** {@return a new array, whose runtime component type does not matter because it does not leave this class} */
    @SuppressWarnings("unchecked")
    private static <T> @Nullable T[] array(int length) {
        return (@Nullable T[]) new @Nullable Object[length];
    }

    /** {@return the element with this key, or null} */
    @Nullable
    public T get(K wanted) {
        return elements[place(wanted)];
    }

    /** {@return the first element at or after a position; positions wrap around} */
    public Optional<T> at(int place) {
        int first = place & (elements.length - 1);
        for (int at = first; size > 0; at = next(at)) {
            T element = elements[at];
            if (element != null) {
                return Optional.of(element);
            }
        }
        return Optional.empty();
    }

    /** Adds an element whose key is not in the table yet. */
    public void add(T element) {
        if (size * 2 >= elements.length) {
            resize(elements.length * 2);
        }
        elements[free(element)] = element;
        size++;
    }

    /** Removes the element with this key, if there is one. Later elements move up to close the gap. */
    public void remove(K unwanted) {
        int gap = place(unwanted);
        if (elements[gap] == null) {
            return;
        }
        elements[gap] = null;
        size--;
        for (int at = next(gap); ; at = next(at)) {
            T element = elements[at];
            if (element == null) {
                break;
            }
            elements[at] = null;
            elements[free(element)] = element;
        }
        if (elements.length > FIRST_SIZE && size * 8 < elements.length) {
            resize(elements.length / 2);
        }
    }

    /** Iterates in no particular order; the table must not be changed meanwhile. */
    @Override
    public Iterator<T> iterator() {
        return Arrays.stream(elements).filter(Objects::nonNull).iterator();
    }

    /** {@return how many elements fit without a resize; in a large table, at most four times as many as it contains} */
    int room() {
        return elements.length / 2;
    }

    public int size() {
        return size;
    }

    private void resize(int length) {
        @Nullable T[] before = elements;
        elements = array(length);
        for (T element : before) {
            if (element != null) {
                elements[free(element)] = element;
            }
        }
    }

    /** {@return the position of the element with this key, or the free position where it belongs} */
    private int place(K wanted) {
        int sought = wanted.hashCode();
        int at = first(sought);
        for (T element = elements[at]; element != null && !isFor(element, sought, wanted); element = elements[at]) {
            at = next(at);
        }
        return at;
    }

    private boolean isFor(T element, int sought, K wanted) {
        return hash.applyAsInt(element) == sought && key.apply(element).equals(wanted);
    }

    /** {@return a free position for an element that is not in the table} */
    private int free(T element) {
        int at = first(hash.applyAsInt(element));
        while (elements[at] != null) {
            at = next(at);
        }
        return at;
    }

    private int first(int hash) {
        return (hash ^ (hash >>> 16)) & (elements.length - 1);
    }

    private int next(int at) {
        return (at + 1) & (elements.length - 1);
    }
}
