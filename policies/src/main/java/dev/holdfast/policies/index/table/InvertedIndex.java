package dev.holdfast.policies.index.table;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Things filed under words. Most words have but one, which is kept without a table of its own. */
public final class InvertedIndex<T> {
    private final Map<String, Set<T>> byWord = new LinkedHashMap<>();

    public void add(String word, T thing) {
        byWord.merge(word, Set.of(thing), InvertedIndex::joined);
    }

    public void remove(String word, T thing) {
        byWord.computeIfPresent(word, (_, some) -> without(some, thing));
    }

    /** {@return what is filed under a word} */
    public Set<T> under(String word) {
        return byWord.getOrDefault(word, Set.of());
    }

    /** {@return what is filed, word by word} */
    public Collection<Set<T>> all() {
        return Collections.unmodifiableCollection(byWord.values());
    }

    /** {@return how many words have something} */
    public int words() {
        return byWord.size();
    }

    public boolean isEmpty() {
        return byWord.isEmpty();
    }

    private static <T> Set<T> joined(Set<T> known, Set<T> more) {
        Set<T> all = known.size() == 1 ? new LinkedHashSet<>(known) : known;
        all.addAll(more);
        return all;
    }

    private static <T> @Nullable Set<T> without(Set<T> having, T thing) {
        if (having.size() == 1) {
            return having.contains(thing) ? null : having;
        }
        having.remove(thing);
        return having.size() == 1 ? Set.of(having.iterator().next()) : having;
    }
}
