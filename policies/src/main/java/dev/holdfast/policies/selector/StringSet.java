package dev.holdfast.policies.selector;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Set;

/**
 * An immutable set of strings in a sorted array. The array takes much less memory than a hash set, and a search stays
 * fast even if a user chooses strings with equal hashes.
 */
final class StringSet extends AbstractSet<String> {
    private final String[] sorted;

    private StringSet(String[] sorted) {
        this.sorted = sorted;
    }

    /** {@return the set of these strings, of which some may be equal} */
    static Set<String> of(Collection<String> strings) {
        return strings.size() == 1
                ? Set.of(strings.iterator().next())
                : new StringSet(strings.stream().distinct().sorted().toArray(String[]::new));
    }

    @Override
    public boolean contains(Object string) {
        return string instanceof String && Arrays.binarySearch(sorted, string) >= 0;
    }

    /** {@return the strings in natural order} */
    @Override
    public Iterator<String> iterator() {
        return Collections.unmodifiableList(Arrays.asList(sorted)).iterator();
    }

    @Override
    public int size() {
        return sorted.length;
    }
}
