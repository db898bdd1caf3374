package dev.holdfast.policies.inject;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenRequired;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The policies that inject their rules into new pods, and what the API server makes of such a pod.
 *
 * <p>Example: the policy {@code web} injects {@code disk In [ssd]}. The Deployment {@code shop} has a pod that was
 * created before the policy. A roll-out creates it again, and the new pod requires {@code disk In [ssd]}.
 */
public final class InjectingPolicies {
    /** The value if no policy injects a rule. */
    public static final InjectingPolicies NONE = new InjectingPolicies(List.of(), Set.of());

    private final List<Policy> policies;
    private final Set<String> untouchedNamespaces;

    private InjectingPolicies(List<Policy> policies, Set<String> untouchedNamespaces) {
        this.policies = List.copyOf(policies);
        this.untouchedNamespaces = Set.copyOf(untouchedNamespaces);
    }

    /**
     * {@return the given policies that inject rules}
     *
     * @param untouchedNamespaces the namespaces whose pods get no rule: the protected and the exempt ones
     */
    public static InjectingPolicies of(Collection<Policy> policies, Set<String> untouchedNamespaces) {
        return new InjectingPolicies(
                policies.stream()
                        .filter(policy -> policy.scheduling() == PolicyScheduling.INJECT)
                        .sorted(Comparator.comparing(Policy::id))
                        .toList(),
                untouchedNamespaces);
    }

    /** {@return whether no policy injects a rule} */
    public boolean isEmpty() {
        return policies.isEmpty();
    }

    /** {@return the policies that inject their rules when a pod like this one is created, by name} */
    public List<PolicyId> selecting(Pod pod, ClusterView cluster) {
        return policiesFor(pod, cluster).stream().map(Policy::id).toList();
    }

    /** {@return the constraints that a pod has if it is created now with what this pod requires of its own} */
    public Scheduling into(Pod pod, ClusterView cluster) {
        Injection injection = Injection.into(pod.scheduling().own()).with(policiesFor(pod, cluster));
        return injection
                .record()
                .in(injection.scheduling().storedFor(pod.labels().own()));
    }

    /**
     * {@return the rules that a pod prefers if it is created now: those that are required only where possible}
     * Preferences of the pod's own spec are not known, so the result may name a rule that was not added.
     */
    public List<Rule> preferences(Pod pod, ClusterView cluster) {
        return policiesFor(pod, cluster).stream()
                .flatMap(policy -> policy.rules().stream())
                .filter(rule -> rule.enforcement().mode() != Mode.DISABLED)
                .filter(rule -> rule.enforcement().whenRequired() == WhenRequired.POSSIBLE_AT_SCHEDULING)
                .map(Policy.NamedRule::rule)
                .toList();
    }

    /** {@return the policies that inject rules into a pod; none for a pod of a DaemonSet, which belongs to its node} */
    private List<Policy> policiesFor(Pod pod, ClusterView cluster) {
        return untouchedNamespaces.contains(pod.namespace())
                        || pod.victimProtection().ofDaemonSet()
                ? List.of()
                : policies.stream()
                        .filter(policy -> policy.selects(pod, cluster))
                        .toList();
    }
}
