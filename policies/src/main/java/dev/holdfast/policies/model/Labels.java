package dev.holdfast.policies.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * The labels of one object: an immutable map from key to value.
 *
 * <p>Shape: keys are unique and iterate in their natural order, so that everything derived from labels (messages,
 * hashes, domains) is the same in every run. Values may be empty strings; an empty value is a value.
 */
public final class Labels implements Comparable<Labels> {
    private static final Labels NONE = new Labels(new String[0]);
    /** So many keys and values, of sixteen labels, are looked through one by one. */
    private static final int FEW = 32;

    /** Keys at even places in natural order, each followed by its value. */
    private final String[] pairs;

    private final int hash;

    private Labels(String[] pairs) {
        this(pairs, Arrays.hashCode(pairs));
    }

    private Labels(String[] pairs, int hash) {
        this.pairs = pairs;
        this.hash = hash;
    }

    /** {@return no labels at all} */
    public static Labels none() {
        return NONE;
    }

    /** {@return the labels of {@code map}, copied} */
    public static Labels of(Map<String, String> map) {
        if (map.isEmpty()) {
            return NONE;
        }
        String[] pairs = new String[map.size() * 2];
        int at = 0;
        for (Map.Entry<String, String> entry : new TreeMap<>(map).entrySet()) {
            pairs[at++] = entry.getKey();
            pairs[at++] = entry.getValue();
        }
        return new Labels(pairs);
    }

    /** {@return labels written as key, value, key, value; the last of two equal keys wins} */
    public static Labels of(String... keysAndValues) {
        return ofOwn(keysAndValues.clone());
    }

    /** {@return the same of a list} */
    public static Labels of(List<String> keysAndValues) {
        return ofOwn(keysAndValues.toArray(String[]::new));
    }

    private static Labels ofOwn(String[] keysAndValues) {
        if (keysAndValues.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "labels come as key and value, got " + keysAndValues.length + " strings");
        }
        if (isSorted(keysAndValues)) {
            return keysAndValues.length == 0 ? NONE : new Labels(keysAndValues);
        }
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return of(map);
    }

    /** {@return whether each key comes after the one before it, as an API server writes them} */
    private static boolean isSorted(String[] keysAndValues) {
        for (int i = 2; i < keysAndValues.length; i += 2) {
            if (keysAndValues[i - 2].compareTo(keysAndValues[i]) >= 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return the same labels made of strings that are kept already}
     *
     * @param same for each key and value, in their order, an equal string; not to be changed any more
     */
    public Labels madeOf(String[] same) {
        return new Labels(same, hash);
    }

    /** {@return whether the key is present, with any value} */
    public boolean has(String key) {
        return indexOf(key) >= 0;
    }

    /** {@return whether the key is present with exactly this value} */
    public boolean has(String key, String value) {
        int at = indexOf(key);
        return at >= 0 && pairs[at + 1].equals(value);
    }

    /** {@return the value of the key; empty when the key is absent} */
    public Optional<String> get(String key) {
        int at = indexOf(key);
        return at >= 0 ? Optional.of(pairs[at + 1]) : Optional.empty();
    }

    /** {@return how many keys there are} */
    public int size() {
        return pairs.length / 2;
    }

    /** {@return whether there is no key} */
    public boolean isEmpty() {
        return pairs.length == 0;
    }

    /** {@return the key at a place in natural order} */
    public String key(int index) {
        return pairs[2 * index];
    }

    /** {@return the value of the key at a place in natural order} */
    public String value(int index) {
        return pairs[2 * index + 1];
    }

    /** {@return the same labels as a map in natural order of keys, free to change} */
    public Map<String, String> toMap() {
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < size(); i++) {
            map.put(key(i), value(i));
        }
        return map;
    }

    /** {@return the labels but for those of some keys, each given once; these very ones if they have none of them} */
    public Labels without(List<String> keys) {
        int gone = 0;
        for (String key : keys) {
            gone += has(key) ? 1 : 0;
        }
        if (gone == 0) {
            return this;
        }
        String[] rest = new String[pairs.length - 2 * gone];
        int at = 0;
        for (int i = 0; i < pairs.length; i += 2) {
            if (!keys.contains(pairs[i])) {
                rest[at++] = pairs[i];
                rest[at++] = pairs[i + 1];
            }
        }
        return rest.length == 0 ? NONE : new Labels(rest);
    }

    @SuppressWarnings("ReferenceEquality") // Keys are mostly one string for all who have or read them, and few.
    private int indexOf(String key) {
        for (int i = 0; i < Math.min(pairs.length, FEW); i += 2) {
            if (pairs[i] == key) {
                return i;
            }
        }
        int low = 0;
        int high = size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = pairs[2 * middle].compareTo(key);
            if (order == 0) {
                return 2 * middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Labels that && hash == that.hash && Arrays.equals(pairs, that.pairs);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Orders by keys and values in turn: a map of labels stays fast where somebody has made many of one hash. */
    @Override
    public int compareTo(Labels other) {
        return Arrays.compare(pairs, other.pairs);
    }

    /** {@return the labels as kubectl writes them: {@code app=web,tier=front}} */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(",");
        for (int i = 0; i < size(); i++) {
            text.add(key(i) + "=" + value(i));
        }
        return text.toString();
    }
}
