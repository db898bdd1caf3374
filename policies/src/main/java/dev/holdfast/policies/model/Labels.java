package dev.holdfast.policies.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The labels of one object: an immutable map from key to value.
 *
 * <p>Shape: keys are unique and iterate in their natural order, so that everything derived from labels (messages,
 * hashes, domains) is the same in every run. Values may be empty strings.
 *
 * <p>A node pair is a label with one of {@link #NODE_KEYS}: a pod gets it from its node. Node pairs are stored apart
 * from all other labels. The other labels of a pod come from its template, so the pods of a workload can share them.
 */
public final class Labels implements Comparable<Labels> {
    /** The keys of labels that the API server copies from a node to its pods, since Kubernetes 1.35. */
    public static final List<String> NODE_KEYS =
            List.of("topology.kubernetes.io/region", "topology.kubernetes.io/zone");

    /** The key of the only label of {@link #unread}. No object has such a label: a label key has no space. */
    private static final String NOT_READ = "not read";

    private static final String[] NO_PAIRS = new String[0];
    private static final Labels NONE = new Labels(NO_PAIRS, NO_PAIRS);
    private static final Labels UNREAD = new Labels(new String[] {NOT_READ, ""}, NO_PAIRS);

    /** A key is first searched by reference in this many array elements (16 labels), then by binary search. */
    private static final int FEW = 32;

    /** The labels except those that a pod gets from its node: keys in natural order, each followed by its value. */
    private final String[] own;

    /** The labels that a pod gets from its node, such as its zone: each key followed by its value. */
    private final String[] ofNode;

    private final int hash;

    private Labels(String[] own, String[] ofNode) {
        this(own, ofNode, 31 * Arrays.hashCode(own) + Arrays.hashCode(ofNode));
    }

    private Labels(String[] own, String[] ofNode, int hash) {
        this.own = own;
        this.ofNode = ofNode;
        this.hash = hash;
    }

    /** {@return the labels of an object without labels} */
    public static Labels none() {
        return NONE;
    }

    /**
     * {@return the labels of an object that has more than Holdfast reads, so that they are unknown} Only an empty
     * selector matches these: {@code app NotIn [web]} does not, because the object may have the label {@code app=web}.
     */
    public static Labels unread() {
        return UNREAD;
    }

    /** {@return whether the labels are unknown, as those of {@link #unread}} */
    public boolean areUnread() {
        return own.length == 2 && own[0].equals(NOT_READ);
    }

    /** {@return labels with the keys and values of a map; later changes of the map have no effect} */
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
        return ofSorted(pairs);
    }

    /**
     * {@return labels from alternating keys and values; if a key is repeated, its last value counts}
     *
     * @throws IllegalArgumentException if the number of strings is odd
     */
    public static Labels of(String... keysAndValues) {
        return ofOwn(keysAndValues.clone());
    }

    /** {@return labels from a list of alternating keys and values; see {@link #of(String...)}} */
    public static Labels of(List<String> keysAndValues) {
        return ofOwn(keysAndValues.toArray(String[]::new));
    }

    private static Labels ofOwn(String[] keysAndValues) {
        if (keysAndValues.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "labels must be pairs of key and value, got " + keysAndValues.length + " strings");
        }
        if (isSorted(keysAndValues)) {
            return ofSorted(keysAndValues);
        }
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return of(map);
    }

    /** {@return whether the keys are in strictly ascending order, as the API server writes them} */
    private static boolean isSorted(String[] keysAndValues) {
        for (int i = 2; i < keysAndValues.length; i += 2) {
            if (keysAndValues[i - 2].compareTo(keysAndValues[i]) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static Labels ofSorted(String[] pairs) {
        int count = 0;
        for (int i = 0; i < pairs.length; i += 2) {
            count += NODE_KEYS.contains(pairs[i]) ? 2 : 0;
        }
        if (count == 0) {
            return pairs.length == 0 ? NONE : new Labels(pairs, NO_PAIRS);
        }
        String[] own = count == pairs.length ? NO_PAIRS : new String[pairs.length - count];
        String[] ofNode = new String[count];
        int found = 0;
        for (int i = 0; i < pairs.length; i += 2) {
            boolean isOfNode = NODE_KEYS.contains(pairs[i]);
            System.arraycopy(pairs, i, isOfNode ? ofNode : own, isOfNode ? found : i - found, 2);
            found += isOfNode ? 2 : 0;
        }
        return new Labels(own, ofNode);
    }

    /**
     * {@return labels that are equal to these but consist of the given strings, so that objects can share the strings}
     *
     * @param same alternating keys and values, equal to those of these labels and in natural order of keys; the caller
     *     must not change the array afterwards
     */
    public Labels withSharedParts(String[] same) {
        return ofNode.length == 0 ? new Labels(same, NO_PAIRS, hash) : ofSorted(same);
    }

    /** {@return these labels without those that a pod gets from its node; this object if there are none} */
    public Labels own() {
        if (ofNode.length == 0) {
            return this;
        }
        return own.length == 0 ? NONE : new Labels(own, NO_PAIRS);
    }

    /** {@return only the labels that a pod gets from its node: those with one of {@link #NODE_KEYS}} */
    public Labels nodePairs() {
        if (own.length == 0) {
            return this;
        }
        return ofNode.length == 0 ? NONE : new Labels(NO_PAIRS, ofNode);
    }

    /** {@return these labels, with those that a pod gets from its node taken from {@code other} instead} */
    public Labels withNodePairsOf(Labels other) {
        if (ofNode.length == 0 && other.ofNode.length == 0) {
            return this;
        }
        return new Labels(own, other.ofNode, hash - Arrays.hashCode(ofNode) + Arrays.hashCode(other.ofNode));
    }

    /** {@return whether the key is present, with any value} */
    public boolean has(String key) {
        return find(key) != null;
    }

    /** {@return whether the key is present with exactly this value} */
    public boolean has(String key, String value) {
        return value.equals(find(key));
    }

    /** {@return the value of the key; empty when the key is absent} */
    public Optional<String> get(String key) {
        return Optional.ofNullable(find(key));
    }

    private @Nullable String find(String key) {
        String[] pairs = NODE_KEYS.contains(key) ? ofNode : own;
        int at = indexOf(pairs, key);
        return at >= 0 ? pairs[at + 1] : null;
    }

    /** {@return the number of labels} */
    public int size() {
        return (own.length + ofNode.length) / 2;
    }

    /** {@return whether there are no labels} */
    public boolean isEmpty() {
        return size() == 0;
    }

    /** {@return the key at an index from 0, in natural order of keys} */
    public String key(int index) {
        return at(index, 0);
    }

    /** {@return the value of the key that {@link #key} returns for the same index} */
    public String value(int index) {
        return at(index, 1);
    }

    /** {@return the key (if {@code behind} is 0) or value (if 1) of the label at an index, in natural order of keys} */
    private String at(int index, int behind) {
        int before = 0;
        for (int i = 0; i < ofNode.length; i += 2) {
            int place = ~indexOf(own, ofNode[i]) / 2 + i / 2;
            if (place == index) {
                return ofNode[i + behind];
            }
            before += place < index ? 1 : 0;
        }
        return own[2 * (index - before) + behind];
    }

    /** {@return the labels as a new, mutable map in natural order of keys} */
    public Map<String, String> toMap() {
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < size(); i++) {
            map.put(key(i), value(i));
        }
        return map;
    }

    /** {@return the array index of the key; if the key is absent, {@code ~index} of where it would be inserted} */
    @SuppressWarnings("ReferenceEquality") // Equal keys are mostly one shared string, and most objects have few.
    private static int indexOf(String[] pairs, String key) {
        for (int i = 0; i < Math.min(pairs.length, FEW); i += 2) {
            if (pairs[i] == key) {
                return i;
            }
        }
        int low = 0;
        int high = pairs.length / 2 - 1;
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
        return ~(2 * low);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Labels that
                && hash == that.hash
                && Arrays.equals(own, that.own)
                && Arrays.equals(ofNode, that.ofNode);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /**
     * Compares keys and values in turn, labels that come from a node last. A hash map uses this order for keys with
     * equal hashes, so it stays fast even if a user creates many labels with the same hash.
     */
    @Override
    public int compareTo(Labels other) {
        int order = Arrays.compare(own, other.own);
        return order != 0 ? order : Arrays.compare(ofNode, other.ofNode);
    }

    /** {@return the labels as text: {@code app=web,tier=front}; an empty value is quoted} */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(",");
        for (int i = 0; i < size(); i++) {
            text.add(key(i) + "=" + QuotedText.value(value(i)));
        }
        return text.toString();
    }
}
