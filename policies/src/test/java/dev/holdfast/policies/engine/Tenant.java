package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Set;

/**
 * What a tenant brings into the cluster of the {@link TenantMatrixTest}, and what becomes of a pod {@code web} then:
 * when the cluster policy evicts one, or why it still holds them after an hour.
 *
 * @param fields the fields of a policy that the row is about, by the names of their record components
 * @param honored with {@code podOverrides: Honor}
 * @param capped with {@code podOverrides: Honor} and {@code maxKeepSeconds: 600}
 * @param ignored with {@code podOverrides: Ignore}
 */
record Tenant(
        String name,
        Set<String> fields,
        List<PodTrait> onThePods,
        List<ClusterBuilder> objects,
        List<Event> policies,
        String honored,
        String capped,
        String ignored) {
    /** {@return whether a policy of the tenant enforces anything} */
    boolean enforces() {
        return policies.stream()
                .anyMatch(event -> event instanceof Event.PolicyChanged(Policy policy, var _, var _, var _)
                        && policy.mode() == Mode.ENFORCE);
    }

    @Override
    public String toString() {
        return name;
    }
}
