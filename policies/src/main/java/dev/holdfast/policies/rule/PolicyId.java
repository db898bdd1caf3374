package dev.holdfast.policies.rule;

import java.util.Comparator;
import java.util.Optional;

/**
 * The namespace and name of a policy.
 *
 * @param namespace the namespace of a PlacementPolicy; absent for a ClusterPlacementPolicy
 */
public record PolicyId(Optional<String> namespace, String name) implements Comparable<PolicyId> {
    private static final Comparator<PolicyId> ORDER = Comparator.<PolicyId, String>comparing(
                    id -> id.namespace().orElse(""))
            .thenComparing(PolicyId::name);

    /** {@return the id of a ClusterPlacementPolicy} */
    public static PolicyId cluster(String name) {
        return new PolicyId(Optional.empty(), name);
    }

    /** {@return the id of a PlacementPolicy} */
    public static PolicyId namespaced(String namespace, String name) {
        return new PolicyId(Optional.of(namespace), name);
    }

    /** {@return whether this is the id of a ClusterPlacementPolicy} */
    public boolean isOfCluster() {
        return namespace.isEmpty();
    }

    @Override
    public int compareTo(PolicyId other) {
        return ORDER.compare(this, other);
    }

    /** {@return the id as text: {@code shop/web} for a PlacementPolicy, {@code web} for a ClusterPlacementPolicy} */
    @Override
    public String toString() {
        return namespace.map(it -> it + "/" + name).orElse(name);
    }
}
