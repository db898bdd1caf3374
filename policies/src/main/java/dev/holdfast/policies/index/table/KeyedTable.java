package dev.holdfast.policies.index.table;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Things by a key that each knows itself. An open table without an object for each of them beside the thing: at a million
 * pods a map of the JDK would take 32 MiB more.
 *
 * @param <K> a key, equal to no key of another thing
 */
public final class KeyedTable<K, T> implements Iterable<T> {
    private static final int FIRST_SIZE = 2;

    private final Function<T, K> key;
    private final ToIntFunction<T> hash;

    /** A power of two long and at most half full; a thing stands at the first free place from its hash on. */
    private @Nullable T[] things = array(FIRST_SIZE);

    private int size;

    /** @param hash of the key of a thing; best kept in the thing itself, since it is asked for far more often than the key */
    public KeyedTable(Function<T, K> key, ToIntFunction<T> hash) {
        this.key = key;
        this.hash = hash;
    }

    /** Never seen by others, so that it does not matter what it is an array of. */
    @SuppressWarnings("unchecked")
    private static <T> @Nullable T[] array(int length) {
        return (@Nullable T[]) new @Nullable Object[length];
    }

    /** {@return what has a key} */
    @Nullable
    public T get(K wanted) {
        return things[place(wanted)];
    }

    /** {@return the first thing at a place of the table or after it; places beyond its end begin anew} */
    public Optional<T> at(int place) {
        int first = place & (things.length - 1);
        for (int at = first; size > 0; at = next(at)) {
            T thing = things[at];
            if (thing != null) {
                return Optional.of(thing);
            }
        }
        return Optional.empty();
    }

    /** Adds a thing whose key is not yet there. */
    public void add(T thing) {
        if (size * 2 >= things.length) {
            resize(things.length * 2);
        }
        things[free(thing)] = thing;
        size++;
    }

    /** Takes out what has a key, and moves up what stands behind it only because it stood there. */
    public void remove(K unwanted) {
        int gap = place(unwanted);
        if (things[gap] == null) {
            return;
        }
        things[gap] = null;
        size--;
        for (int at = next(gap); ; at = next(at)) {
            T thing = things[at];
            if (thing == null) {
                break;
            }
            things[at] = null;
            things[free(thing)] = thing;
        }
        if (things.length > FIRST_SIZE && size * 8 < things.length) {
            resize(things.length / 2);
        }
    }

    /** Shows all things in no particular order; none may come or leave meanwhile. */
    @Override
    public Iterator<T> iterator() {
        return Arrays.stream(things).filter(Objects::nonNull).iterator();
    }

    /** {@return how many things there is room for: never more than four times as many as there are, but for the first few} */
    int room() {
        return things.length / 2;
    }

    public int size() {
        return size;
    }

    private void resize(int length) {
        @Nullable T[] before = things;
        things = array(length);
        for (T thing : before) {
            if (thing != null) {
                things[free(thing)] = thing;
            }
        }
    }

    /** {@return where the thing with this key stands, or would stand} */
    private int place(K wanted) {
        int sought = wanted.hashCode();
        int at = first(sought);
        for (T thing = things[at]; thing != null && !isFor(thing, sought, wanted); thing = things[at]) {
            at = next(at);
        }
        return at;
    }

    private boolean isFor(T thing, int sought, K wanted) {
        return hash.applyAsInt(thing) == sought && key.apply(thing).equals(wanted);
    }

    /** {@return where a thing can stand that does not stand anywhere} */
    private int free(T thing) {
        int at = first(hash.applyAsInt(thing));
        while (things[at] != null) {
            at = next(at);
        }
        return at;
    }

    private int first(int hash) {
        return (hash ^ (hash >>> 16)) & (things.length - 1);
    }

    private int next(int at) {
        return (at + 1) & (things.length - 1);
    }
}
