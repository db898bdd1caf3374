package dev.holdfast.policies.plan.move;

import java.util.Collection;
import java.util.Set;

/** Which namespaces are of one tenant, and when what happened in several of them concerns the whole cluster. */
public interface Tenancy {
    /** A tenancy in which each namespace is a tenant of its own, and two namespaces are independent. */
    Tenancy BY_NAMESPACE = new Tenancy() {
        @Override
        public String tenantOf(String namespace) {
            return namespace;
        }

        @Override
        public boolean areIndependent(Collection<String> namespaces) {
            return Set.copyOf(namespaces).size() > 1;
        }
    };

    /** {@return a text that is the same for all namespaces of one tenant, and for no other} */
    String tenantOf(String namespace);

    /**
     * {@return whether what happened in all these namespaces concerns the cluster, and not one owner of several of
     * them}
     */
    boolean areIndependent(Collection<String> namespaces);
}
