package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A parsed PlacementPolicy or ClusterPlacementPolicy: valid, with every default filled in.
 *
 * @param generation {@code metadata.generation}, which increases with every edit of the spec
 * @param mode the mode of the policy; no rule of the policy has a stronger one
 * @param pods selects the pods that the policy applies to, by their labels
 * @param nodes selects nodes, so that only pods on these nodes are selected; absent means all nodes
 * @param namespaces selects the namespaces of a ClusterPlacementPolicy, absent means all; ignored for a PlacementPolicy
 * @param podRules the kinds of rules in the pods' own specs that the policy requests, with how it enforces them
 * @param rules the policy's own named rules
 * @param scheduling whether the rules are injected into pods, so that the scheduler knows them too
 */
public record Policy(
        PolicyId id,
        long generation,
        Mode mode,
        LabelMatcher pods,
        Optional<LabelMatcher> nodes,
        Optional<LabelMatcher> namespaces,
        Map<RuleKind, Enforcement> podRules,
        List<NamedRule> rules,
        PolicyScheduling scheduling) {
    public Policy {
        podRules = Map.copyOf(podRules);
        rules = List.copyOf(rules);
    }

    /** Creates a policy whose rules hold at execution alone. */
    public Policy(
            PolicyId id,
            long generation,
            Mode mode,
            LabelMatcher pods,
            Optional<LabelMatcher> nodes,
            Optional<LabelMatcher> namespaces,
            Map<RuleKind, Enforcement> podRules,
            List<NamedRule> rules) {
        this(id, generation, mode, pods, nodes, namespaces, podRules, rules, PolicyScheduling.NONE);
    }

    /** A rule that the policy itself defines. The scheduler knows it only if it is injected into pods. */
    public record NamedRule(String name, Rule rule, Enforcement enforcement) {}

    /** {@return whether the API server adds the policy's rules to new pods} */
    public boolean injects() {
        return scheduling == PolicyScheduling.INJECT && mode != Mode.DISABLED;
    }

    /** {@return the longest forgiveness of any rule that the policy requests; zero if it requests none} */
    public Duration longestForgiveness() {
        return Stream.concat(podRules.values().stream(), rules.stream().map(NamedRule::enforcement))
                .map(Enforcement::forgiveness)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** {@return whether the policy selects the pod on its present node; false if its mode is DISABLED} */
    public boolean selects(Pod pod, ClusterView view) {
        return mode != Mode.DISABLED
                && inNamespace(pod, view)
                && pods.matches(pod.labels())
                && (nodes.isEmpty() || onNode(nodes.get(), pod, view));
    }

    private boolean inNamespace(Pod pod, ClusterView view) {
        return appliesTo(pod.namespace(), view.namespace(pod.namespace()).map(Namespace::labels));
    }

    /** {@return whether the policy applies to a namespace; {@code labels} is absent if the Namespace is not known} */
    public boolean appliesTo(String namespace, Optional<Labels> labels) {
        if (id.namespace().isPresent()) {
            return id.namespace().get().equals(namespace);
        }
        return namespaces.isEmpty() || namespaces.get().matches(labels.orElse(Labels.none()));
    }

    private static boolean onNode(LabelMatcher nodes, Pod pod, ClusterView view) {
        return pod.nodeName()
                .flatMap(view::node)
                .filter(node -> nodes.matches(node.labels()))
                .isPresent();
    }
}
