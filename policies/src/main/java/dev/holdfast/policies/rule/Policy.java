package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.selector.LabelMatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
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
 * @param annotationRules how the rules in the annotations of pods are enforced; absent if they are ignored
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
        PolicyScheduling scheduling,
        Optional<Enforcement> annotationRules) {
    /** The name under which a policy reports the rules in annotations: no other rule can have it. */
    public static final String ANNOTATION_RULES = "AnnotationRules";

    public Policy {
        podRules = Map.copyOf(podRules);
        rules = List.copyOf(rules);
    }

    /** Creates a policy that ignores the rules in annotations. */
    public Policy(
            PolicyId id,
            long generation,
            Mode mode,
            LabelMatcher pods,
            Optional<LabelMatcher> nodes,
            Optional<LabelMatcher> namespaces,
            Map<RuleKind, Enforcement> podRules,
            List<NamedRule> rules,
            PolicyScheduling scheduling) {
        this(id, generation, mode, pods, nodes, namespaces, podRules, rules, scheduling, Optional.empty());
    }

    /** Creates a policy whose rules hold at execution alone, and that ignores the rules in annotations. */
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

    /** A rule that the policy itself defines. The scheduler knows the rule only if a policy injects it. */
    public record NamedRule(String name, Rule rule, Enforcement enforcement) {}

    /** {@return this policy with generation 0, so that two generations with the same content are equal} */
    public Policy withoutGeneration() {
        return new Policy(id, 0, mode, pods, nodes, namespaces, podRules, rules, scheduling, annotationRules);
    }

    /** {@return whether the API server adds the policy's rules to new pods} */
    public boolean injects() {
        return scheduling == PolicyScheduling.INJECT && mode != Mode.DISABLED;
    }

    /** {@return whether the API server adds the rules in the annotations of new pods to their spec} */
    public boolean injectsAnnotationRules() {
        return injects() && annotationRules.isPresent();
    }

    /**
     * {@return the rules of a pod that the policy requests of those that it selects, with their names: first those of
     * the pod's own spec, then those of its annotation}
     */
    public List<RequestedPodRule> requestedOf(Scheduling pod) {
        List<RequestedPodRule> requested = new ArrayList<>();
        if (annotationRules.isEmpty() || !PodRules.areReplaced(pod)) {
            for (Rule rule : PodRules.of(pod)) {
                Enforcement enforcement = podRules.get(rule.kind());
                if (enforcement != null) {
                    requested.add(new RequestedPodRule(rule.kind().label(), rule, enforcement, RuleSource.POD_SPEC));
                }
            }
        }
        annotationRules.ifPresent(enforcement -> PodRules.inAnnotation(pod).values().stream()
                .map(rule -> new RequestedPodRule(ANNOTATION_RULES, rule, enforcement, RuleSource.POD_ANNOTATION))
                .forEach(requested::add));
        return requested;
    }

    /** A rule that a pod itself has and that the policy requests, with how the policy enforces it. */
    public record RequestedPodRule(String name, Rule rule, Enforcement enforcement, RuleSource source) {}

    /**
     * {@return what the policy requires of the pods that it selects: the identities of its own rules, and the kinds of
     * the pods' rules} Names, order, modes, forgiveness and all other settings have no effect.
     */
    public SortedSet<String> requirements() {
        SortedSet<String> requirements = new TreeSet<>();
        rules.forEach(named -> requirements.add(named.rule().identity().hash()));
        podRules.keySet().forEach(kind -> requirements.add(kind.label()));
        annotationRules.ifPresent(_ -> requirements.add(ANNOTATION_RULES));
        return requirements;
    }

    /** {@return whether the policy requests no rule of any pod} */
    public boolean requestsNothing() {
        return enforcements().findAny().isEmpty();
    }

    /** {@return how the policy enforces its rules and those of pods} */
    public Stream<Enforcement> enforcements() {
        return Stream.of(
                        podRules.values().stream(),
                        rules.stream().map(NamedRule::enforcement),
                        annotationRules.stream())
                .flatMap(Function.identity());
    }

    /** {@return the longest forgiveness of any rule that the policy requests; zero if it requests none} */
    public Duration longestForgiveness() {
        return enforcements()
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
