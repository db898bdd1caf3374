package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.policies.inject.InjectingPolicies;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The admission policies of the chart, which inject rules into new pods. */
public final class Admission {
    private final Set<String> untouchedNamespaces;
    private final Map<PolicyId, Policy> policies = new HashMap<>();
    private InjectingPolicies injecting = InjectingPolicies.NONE;

    /** @param untouchedNamespaces the namespaces into whose pods no rule is injected */
    public Admission(Set<String> untouchedNamespaces) {
        this.untouchedNamespaces = Set.copyOf(untouchedNamespaces);
    }

    /** Adds a policy, in place of the one with its ID. */
    public void put(Policy policy) {
        policies.put(policy.id(), policy);
        injecting = InjectingPolicies.of(policies.values(), untouchedNamespaces);
    }

    /** {@return whether a policy was put exactly as it is} */
    public boolean has(Policy policy) {
        return policy.equals(policies.get(policy.id()));
    }

    /** {@return the policies that inject rules into new pods now} */
    public InjectingPolicies injecting() {
        return injecting;
    }

    /** {@return the pod with the rules that are injected} */
    Pod admitted(Pod pod, ClusterView view) {
        return injecting.isEmpty() ? pod : pod.withScheduling(injecting.into(pod, view));
    }

    /** {@return the rules that policies let a pod prefer} */
    List<Rule> preferences(Pod pod, ClusterView view) {
        return injecting.preferences(pod, view);
    }
}
