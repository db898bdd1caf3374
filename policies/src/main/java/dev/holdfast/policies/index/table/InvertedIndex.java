package dev.holdfast.policies.index.table;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An inverted index: sets of elements by key. Most keys have one element, which is stored without a mutable set. An
 * index of one element has no hash table: a tenant can write labels and rules of which each needs an index of its own.
 */
public final class InvertedIndex<T> {
    /** Immutable until a second element is added, or the only one is removed. */
    private Map<String, Set<T>> byKey = Map.of();

    public void add(String key, T element) {
        if (byKey.isEmpty()) {
            byKey = Map.of(key, Set.of(element));
        } else {
            mutable().merge(key, Set.of(element), InvertedIndex::joined);
        }
    }

    private Map<String, Set<T>> mutable() {
        if (!(byKey instanceof LinkedHashMap)) {
            byKey = new LinkedHashMap<>(byKey);
        }
        return byKey;
    }

    public void remove(String key, T element) {
        if (under(key).contains(element)) {
            mutable().computeIfPresent(key, (_, some) -> without(some, element));
        }
    }

    /** {@return the elements of a key, in the order in which they were added; empty if there are none} */
    public Set<T> under(String key) {
        return byKey.getOrDefault(key, Set.of());
    }

    /** {@return the sets of elements of all keys} */
    public Collection<Set<T>> all() {
        return Collections.unmodifiableCollection(byKey.values());
    }

    /** {@return the number of keys that have elements} */
    public int keyCount() {
        return byKey.size();
    }

    public boolean isEmpty() {
        return byKey.isEmpty();
    }

    private static <T> Set<T> joined(Set<T> known, Set<T> more) {
        Set<T> all = known.size() == 1 ? new LinkedHashSet<>(known) : known;
        all.addAll(more);
        return all;
    }

    private static <T> @Nullable Set<T> without(Set<T> having, T element) {
        if (having.size() == 1) {
            return having.contains(element) ? null : having;
        }
        having.remove(element);
        return having.size() == 1 ? Set.of(having.iterator().next()) : having;
    }
}
