package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Demands.matcher;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.rule.WhenRequired;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Policies for tests. Most select all pods of namespace {@value Facts#NAMESPACE} and hold them to all rules in their
 * own spec.
 */
public final class TestPolicies {
    public static final Duration FORGIVENESS = Duration.ofSeconds(60);

    private TestPolicies() {}

    /** {@return controls that also permit evictions of pods whose controllers are of unknown kinds} */
    static DisruptionControls ofUnknownControllers() {
        return ControlsDraft.plain().allowed(Set.of(Reason.UNKNOWN_CONTROLLER)).controls();
    }

    public static Policy enforcing() {
        return enforcing("web", FORGIVENESS);
    }

    public static Policy enforcing(String name, Duration forgiveness) {
        return policy(name, Mode.ENFORCE, forgiveness, WhenInfeasible.WAIT);
    }

    /** {@return a policy that evicts a pod even if no other node would take it} */
    static Policy insisting(String name) {
        return policy(name, Mode.ENFORCE, FORGIVENESS, WhenInfeasible.EVICT);
    }

    /** {@return a policy for the topology spreads in the pods' spec that also moves pods to new domains} */
    static Policy rebalancing() {
        Enforcement enforcement =
                new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT, WhenDomainAdded.REBALANCE);
        return PolicyDraft.of(PolicyId.namespaced(Facts.NAMESPACE, "web"), Mode.ENFORCE)
                .podRules(Map.of(RuleKind.TOPOLOGY_SPREAD, enforcement))
                .policy();
    }

    /** {@return an enforcing policy over all pods with this rule alone} */
    static Policy asking(String name, Rule rule, WhenInfeasible whenInfeasible) {
        Enforcement enforcement = new Enforcement(Mode.ENFORCE, FORGIVENESS, whenInfeasible);
        return PolicyDraft.of(PolicyId.namespaced(Facts.NAMESPACE, "web"), Mode.ENFORCE)
                .rule(name, rule, enforcement)
                .policy();
    }

    /** {@return an enforcing policy over all pods with this rule alone, which is required only where possible} */
    static Policy wanting(String name, Rule rule) {
        return PolicyDraft.of(PolicyId.namespaced(Facts.NAMESPACE, name), Mode.ENFORCE)
                .rule(
                        name,
                        rule,
                        new Enforcement(
                                Mode.ENFORCE,
                                FORGIVENESS,
                                WhenInfeasible.WAIT,
                                WhenDomainAdded.HOLD,
                                VictimChoice.RULE_OWNER,
                                WhenRequired.POSSIBLE_AT_SCHEDULING))
                .policy();
    }

    /** {@return the same policy, whose rules the API server adds to new pods} */
    static Policy injecting(Policy policy) {
        return new Policy(
                policy.id(),
                policy.generation(),
                policy.mode(),
                policy.pods(),
                policy.nodes(),
                policy.namespaces(),
                policy.podRules(),
                policy.rules(),
                PolicyScheduling.INJECT);
    }

    /** {@return the same policy, but only for pods whose labels match} */
    static Policy over(LabelSelector pods, Policy policy) {
        return selecting(policy.id(), pods, policy.nodes(), policy.namespaces(), policy);
    }

    /** {@return the same policy, but only for pods on nodes whose labels match} */
    static Policy onNodes(LabelSelector nodes, Policy policy) {
        return selecting(
                policy.id(), LabelSelector.everything(), Optional.of(matcher(nodes)), policy.namespaces(), policy);
    }

    /** {@return the same policy, but only for pods in namespaces whose labels match} */
    static Policy inNamespaces(LabelSelector namespaces, Policy policy) {
        return selecting(
                policy.id(), LabelSelector.everything(), policy.nodes(), Optional.of(matcher(namespaces)), policy);
    }

    /** {@return the same policy for the pods of all namespaces} */
    public static Policy everywhere(Policy policy) {
        PolicyId id = PolicyId.cluster(policy.id().name());
        return selecting(id, LabelSelector.everything(), policy.nodes(), policy.namespaces(), policy);
    }

    /** {@return the same policy as one of this namespace} */
    static Policy ofNamespace(String namespace, Policy policy) {
        PolicyId id = PolicyId.namespaced(namespace, policy.id().name());
        return selecting(id, LabelSelector.everything(), policy.nodes(), policy.namespaces(), policy);
    }

    /** {@return the same policy with a higher generation, as after an edit that changes no effect of the policy} */
    static Policy edited(Policy policy) {
        return selecting(policy.id(), LabelSelector.everything(), policy.nodes(), policy.namespaces(), policy);
    }

    /** {@return the same policy, of which this is the only rule of its own} */
    static Policy alsoAsking(String name, Rule rule, Enforcement enforcement, Policy policy) {
        return new Policy(
                policy.id(),
                policy.generation() + 1,
                Mode.ENFORCE,
                policy.pods(),
                policy.nodes(),
                policy.namespaces(),
                policy.podRules(),
                List.of(new Policy.NamedRule(name, rule, enforcement)));
    }

    /** {@return the same policy without the rules of this kind, as after an edit of its rules} */
    static Policy without(RuleKind kind, Policy policy) {
        Map<RuleKind, Enforcement> podRules = new EnumMap<>(policy.podRules());
        podRules.remove(kind);
        return new Policy(
                policy.id(),
                policy.generation() + 1,
                policy.mode(),
                policy.pods(),
                policy.nodes(),
                policy.namespaces(),
                podRules,
                policy.rules());
    }

    private static Policy selecting(
            PolicyId id,
            LabelSelector pods,
            Optional<LabelMatcher> nodes,
            Optional<LabelMatcher> namespaces,
            Policy policy) {
        return new Policy(
                id,
                policy.generation() + 1,
                policy.mode(),
                matcher(pods),
                nodes,
                namespaces,
                policy.podRules(),
                policy.rules(),
                policy.scheduling(),
                policy.annotationRules());
    }

    public static Policy auditing() {
        return policy("web", Mode.AUDIT, FORGIVENESS, WhenInfeasible.WAIT);
    }

    public static Policy policy(String name, Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible) {
        Map<RuleKind, Enforcement> podRules = new EnumMap<>(RuleKind.class);
        for (RuleKind kind : RuleKind.values()) {
            podRules.put(kind, new Enforcement(mode, forgiveness, whenInfeasible));
        }
        return PolicyDraft.of(PolicyId.namespaced(Facts.NAMESPACE, name), mode)
                .podRules(podRules)
                .policy();
    }
}
