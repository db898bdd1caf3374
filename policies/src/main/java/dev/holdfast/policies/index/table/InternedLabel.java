package dev.holdfast.policies.index.table;

/**
 * A label in use: its key and its value, kept once for all labels that have it. Has an order, so that a map of pairs stays
 * fast where somebody has made many of one hash.
 */
final class InternedLabel implements Comparable<InternedLabel> {
    final String key;
    final String value;
    private final int hash;

    /** How many label sets have it. */
    int users;

    InternedLabel(String key, String value) {
        this.key = key;
        this.value = value;
        this.hash = 31 * key.hashCode() + value.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InternedLabel that
                && hash == that.hash
                && value.equals(that.value)
                && key.equals(that.key);
    }

    @Override
    public int compareTo(InternedLabel other) {
        int order = key.compareTo(other.key);
        return order != 0 ? order : value.compareTo(other.value);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
