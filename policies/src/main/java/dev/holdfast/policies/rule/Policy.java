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
 * A policy as the engine uses it: valid by construction, with every default filled in.
 *
 * @param generation of the object it was read from; grows with every edit of its spec
 * @param mode the policy's own mode; no rule of it goes further
 * @param pods which pods
 * @param nodes only pods on such nodes; absent is all nodes
 * @param namespaces which namespaces, for a cluster policy; a namespaced one has its own, whatever stands here
 * @param podRules the kinds of the pods' own rules it asks for, each at most once
 * @param rules further rules, by name
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

    /** A rule that the policy itself brings. */
    public record NamedRule(String name, Rule rule, Enforcement enforcement) {}

    /** {@return whether the pod, where it runs now, is one of those the policy speaks of} */
    public boolean selects(Pod pod, ClusterView view) {
        return mode != Mode.OFF
                && inNamespace(pod, view)
                && pods.matches(pod.labels())
                && (nodes.isEmpty() || onNode(nodes.get(), pod, view));
    }

    private boolean inNamespace(Pod pod, ClusterView view) {
        return reaches(pod.namespace(), view.namespace(pod.namespace()).map(Namespace::labels));
    }

    /** {@return whether it speaks of pods in a namespace with these labels; one without an object has none} */
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
