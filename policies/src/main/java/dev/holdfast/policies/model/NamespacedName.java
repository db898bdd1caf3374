package dev.holdfast.policies.model;

import java.util.Comparator;

/** The namespace and name of an object: {@code shop/web-1}. Ordered by namespace, then name. */
public record NamespacedName(String namespace, String name) implements Comparable<NamespacedName> {
    private static final Comparator<NamespacedName> ORDER =
            Comparator.comparing(NamespacedName::namespace).thenComparing(NamespacedName::name);

    @Override
    public int compareTo(NamespacedName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
