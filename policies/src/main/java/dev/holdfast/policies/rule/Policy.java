package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A parsed policy as the engine uses it: valid by construction, with every default filled in.
 *
 * @param generation of its object; increases with every edit of the spec
 * @param mode the policy's mode; the ceiling for the modes of its rules
 * @param pods selects the pods by label
 * @param nodes selects only pods on matching nodes; absent means all nodes
 * @param namespaces selects the namespaces of a ClusterPlacementPolicy; ignored for a PlacementPolicy
 * @param podRules the kinds of rules that the policy requests from the pods' own specs
 * @param rules the policy's own named rules
 */
public record Policy(
        PolicyId id,
        long generation,
        Mode mode,
        LabelMatcher pods,
        Optional<LabelMatcher> nodes,
        Optional<LabelMatcher> namespaces,
        Map<RuleKind, Enforcement> podRules,
        List<NamedRule> rules) {
    public Policy {
        podRules = Map.copyOf(podRules);
        rules = List.copyOf(rules);
    }

    /** A rule of the policy itself, unknown to the scheduler. */
    public record NamedRule(String name, Rule rule, Enforcement enforcement) {}

    /** {@return whether the policy selects the pod on its present node; false if its mode is OFF} */
    public boolean selects(Pod pod, ClusterView view) {
        return mode != Mode.OFF
                && inNamespace(pod, view)
                && pods.matches(pod.labels())
                && (nodes.isEmpty() || onNode(nodes.get(), pod, view));
    }

    private boolean inNamespace(Pod pod, ClusterView view) {
        return reaches(pod.namespace(), view.namespace(pod.namespace()).map(Namespace::labels));
    }

    /** {@return whether it applies to a namespace; {@code labels} is empty if the namespace has no object} */
    public boolean reaches(String namespace, Optional<Labels> labels) {
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
