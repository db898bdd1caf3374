package dev.holdfast.policies.index.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A pool of values with reference counts: equal keys share one value. The pool drops a value when its last user
 * releases it.
 *
 * @param <K> the key that a value is made from
 */
final class RefCountedPool<K, V> {
    private final Map<K, Counted<V>> values = new HashMap<>();

    private static final class Counted<V> {
        private final V value;
        private int users;

        Counted(V value) {
            this.value = value;
        }
    }

    /** Adds a user to the value of a key, and returns the value. A value that does not exist yet is created. */
    V acquire(K key, Function<K, V> maker) {
        Counted<V> known = values.computeIfAbsent(key, it -> new Counted<>(maker.apply(it)));
        known.users++;
        return known.value;
    }

    /** Removes a user from the value of a key, and drops the value if this was the last user. */
    void release(K key) {
        Counted<V> known = Objects.requireNonNull(values.get(key), "released more often than acquired");
        known.users--;
        if (known.users == 0) {
            values.remove(key);
        }
    }

    boolean isEmpty() {
        return values.isEmpty();
    }
}
