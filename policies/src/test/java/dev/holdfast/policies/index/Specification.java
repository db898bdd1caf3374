package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The expected behaviour of the index: stores objects and policies, and evaluates every rule of every pod with the
 * package {@code evaluate}.
 */
final class Specification {
    private final Set<String> exempt;
    private final ReferenceCluster referenceCluster = new ReferenceCluster();
    private final Map<PolicyId, Policy> policies = new TreeMap<>();

    /** The cached hashes of rules, because hashing a rule takes longer than evaluating it. */
    private final Map<Rule, String> hashes = new HashMap<>();

    Specification(Set<String> exempt) {
        this.exempt = exempt;
    }

    void take(Step step) {
        switch (step) {
            case Step.Fact(ClusterEvent event) -> referenceCluster.apply(event);
            case Step.PolicyPut(Policy policy) -> policies.put(policy.id(), policy);
            case Step.PolicyRemoved(PolicyId id) -> policies.remove(id);
        }
    }

    ReferenceCluster referenceCluster() {
        return referenceCluster;
    }

    Collection<Policy> policies() {
        return policies.values();
    }

    /** {@return the steps that delete every object and policy} */
    List<Step> undoing() {
        List<Step> steps = new ArrayList<>();
        referenceCluster
                .namespaces()
                .forEach(it -> steps.add(new Step.Fact(new ClusterEvent.NamespaceGone(it.name()))));
        referenceCluster.pods().forEach(it -> steps.add(new Step.Fact(new ClusterEvent.PodGone(it.uid()))));
        referenceCluster.nodes().forEach(it -> steps.add(new Step.Fact(new ClusterEvent.NodeGone(it.name()))));
        referenceCluster.unreadNodes().forEach(it -> steps.add(new Step.Fact(new ClusterEvent.NodeGone(it.name()))));
        policies.keySet().forEach(it -> steps.add(new Step.PolicyRemoved(it)));
        return steps;
    }

    /** {@return the number of pods that each policy selects} */
    Map<PolicyId, Integer> selected() {
        Map<PolicyId, Integer> selected = new TreeMap<>();
        policies.forEach((id, policy) -> selected.put(id, (int) referenceCluster.pods().stream()
                .filter(pod -> policy.selects(pod, referenceCluster))
                .count()));
        return selected;
    }

    /** {@return the rules that policies hold a pod to, by rule hash} */
    Map<String, Rule> asked(Pod pod) {
        Map<String, Rule> asked = new TreeMap<>();
        for (Policy policy : policies.values()) {
            if (policy.selects(pod, referenceCluster)) {
                boolean allows =
                        policy.annotationRules().filter(Specification::wants).isPresent();
                if (!allows || !replaces(pod.scheduling().annotationRules())) {
                    PodRules.of(pod.scheduling()).stream()
                            .filter(rule -> wants(policy.podRules().get(rule.kind())))
                            .forEach(rule -> asked.putIfAbsent(hash(rule), rule));
                }
                if (allows) {
                    annotated(pod.scheduling().annotationRules()).forEach(rule -> asked.putIfAbsent(hash(rule), rule));
                }
                policy.rules().stream()
                        .filter(rule -> wants(rule.enforcement()))
                        .forEach(rule -> asked.putIfAbsent(hash(rule.rule()), rule.rule()));
            }
        }
        return asked;
    }

    /** {@return how the pod violates the rule; empty when it does not} */
    Optional<ViolationDetail> breach(Rule rule, Pod pod) {
        return breach(rule, pod, referenceCluster);
    }

    /** {@return how the pod would violate the rule in another view of the cluster} */
    Optional<ViolationDetail> breach(Rule rule, Pod pod, ClusterView view) {
        boolean anti = rule instanceof Rule.PodAntiAffinity;
        if (anti && exempt.contains(pod.namespace())) {
            return Optional.empty();
        }
        ClusterView asked = anti ? new HidingView(view, it -> exempt.contains(it.namespace())) : view;
        return Evaluator.judge(rule, pod, asked) instanceof Verdict.Violated(ViolationDetail violationDetail)
                ? Optional.of(violationDetail)
                : Optional.empty();
    }

    /** {@return why a rule is no longer violated} */
    VerdictListener.Ending ending(String podUid, String hash) {
        Optional<Pod> pod = referenceCluster.pod(podUid);
        if (pod.isEmpty()) {
            return VerdictListener.Ending.UNDETERMINED;
        }
        Rule rule = asked(pod.get()).get(hash);
        if (rule == null) {
            return VerdictListener.Ending.NOT_REQUESTED;
        }
        return Evaluator.judge(rule, pod.get(), referenceCluster) instanceof Verdict.Undetermined
                ? VerdictListener.Ending.UNDETERMINED
                : VerdictListener.Ending.SATISFIED;
    }

    private String hash(Rule rule) {
        return hashes.computeIfAbsent(rule, it -> it.identity().hash());
    }

    private static boolean replaces(AnnotationRules rules) {
        return rules instanceof AnnotationRules.Given given && given.standing() == AnnotationRules.Standing.REPLACING;
    }

    /** A rule of an annotation is evaluated as if a policy had it, so a spread counts nodes by its own key alone. */
    private static List<Rule> annotated(AnnotationRules rules) {
        return rules instanceof AnnotationRules.Given given
                ? given.rules().stream()
                        .map(named -> annotated(named.content()))
                        .toList()
                : List.of();
    }

    private static Rule annotated(AnnotationRules.Content content) {
        return switch (content) {
            case AnnotationRules.OnNodes it -> new Rule.NodeAffinity(Labels.none(), Optional.of(it.nodes()));
            case AnnotationRules.Near it -> new Rule.PodAffinity(List.of(it.term()));
            case AnnotationRules.ApartFrom it -> new Rule.PodAntiAffinity(it.term());
            case AnnotationRules.Spread it -> new Rule.TopologySpread(it.constraint(), List.of());
        };
    }

    private static boolean wants(@Nullable Enforcement enforcement) {
        return enforcement != null && enforcement.mode() != Mode.DISABLED;
    }
}
