package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.plan.move.Tenancy;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The tenants of the cluster. Namespaces with the same value of the team label are one tenant. A namespace without the
 * label is a tenant of its own, but one owner may have several such namespaces.
 */
public final class Tenants implements Tenancy {
    /** The number of teams that are independent: they surely have nothing in common but the cluster. */
    private static final int TEAMS = 3;

    /** The maximum number of tenants needed: six suffice even if they are less than a quarter of all namespaces. */
    private static final int MOST = 6;

    private static final int QUARTER = 4;

    private final ClusterView cluster;
    private final BreakerSettings settings;

    public Tenants(ClusterView cluster, BreakerSettings settings) {
        this.cluster = cluster;
        this.settings = settings;
    }

    /** @param name the value of the team label, or the name of a namespace without it */
    record Tenant(String name, boolean isTeam) {
        @Override
        public String toString() {
            return (isTeam ? "tenant " : "namespace ") + name;
        }
    }

    @Override
    public String tenantOf(String namespace) {
        return of(namespace).toString();
    }

    Tenant of(String namespace) {
        return settings.teamLabel()
                .flatMap(key ->
                        cluster.namespace(namespace).map(Namespace::labels).flatMap(labels -> labels.get(key)))
                .filter(team -> !team.isEmpty())
                .map(team -> new Tenant(team, true))
                .orElseGet(() -> new Tenant(namespace, false));
    }

    /** {@return the tenants of these namespaces, in the order of the namespaces} */
    List<Tenant> of(Collection<String> namespaces) {
        return namespaces.stream().map(this::of).distinct().toList();
    }

    /**
     * {@return whether what happened in all these namespaces concerns the cluster, and not one owner of several of
     * them} Three teams suffice, or two if the cluster has no other and three namespaces are theirs. Otherwise it takes
     * as many tenants as a quarter of all namespaces has, but at least three and at most six. Example: in a cluster of
     * 12 namespaces without teams, three namespaces suffice; in one of 300, six do.
     */
    @Override
    public boolean areIndependent(Collection<String> namespaces) {
        List<Tenant> tenants = of(namespaces);
        if (tenants.size() < TEAMS && namespaces.size() >= TEAMS && areAllTeams(tenants)) {
            return true;
        }
        if (tenants.size() < TEAMS || tenants.stream().filter(Tenant::isTeam).count() >= TEAMS) {
            return tenants.size() >= TEAMS;
        }
        if (tenants.size() >= MOST) {
            return true;
        }
        int quarter = Math.ceilDiv(cluster.namespaces().size(), QUARTER);
        return tenants.size() >= Math.clamp(quarter, TEAMS, MOST);
    }

    /** {@return whether the tenants are several teams, and the cluster has no other team} */
    private boolean areAllTeams(List<Tenant> tenants) {
        return tenants.stream().filter(Tenant::isTeam).count() > 1
                && cluster.namespaces().stream()
                        .map(namespace -> of(namespace.name()))
                        .filter(Tenant::isTeam)
                        .allMatch(tenants::contains);
    }

    /** {@return the tenants of these namespaces: {@code tenant shop, namespace bank}} */
    String names(Collection<String> namespaces) {
        return of(namespaces).stream().map(Tenant::toString).collect(Collectors.joining(", "));
    }
}
