package dev.holdfast.policies.index.table;

/**
 * A label key and value, stored once for all label sets that contain it. Comparable, so that a hash map stays fast even
 * if a user creates many labels with the same hash code.
 */
final class InternedLabel implements Comparable<InternedLabel> {
    final String key;
    final String value;
    private final int hash;

    /** How many label sets contain this label. */
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
