package dev.holdfast.policies.index.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Things made once for all who need an equal one, and forgotten with the last of them.
 *
 * @param <K> what they are made from
 */
final class RefCountedPool<K, V> {
    private final Map<K, Counted<V>> things = new HashMap<>();

    private static final class Counted<V> {
        private final V value;
        private int users;

        Counted(V value) {
            this.value = value;
        }
    }

    /** {@return the thing for a key, made if there is none, with one user more} */
    V acquire(K key, Function<K, V> maker) {
        Counted<V> known = things.computeIfAbsent(key, it -> new Counted<>(maker.apply(it)));
        known.users++;
        return known.value;
    }

    /** Takes a user away. */
    void release(K key) {
        Counted<V> known = Objects.requireNonNull(things.get(key), "released more often than acquired");
        known.users--;
        if (known.users == 0) {
            things.remove(key);
        }
    }

    boolean isEmpty() {
        return things.isEmpty();
    }
}
