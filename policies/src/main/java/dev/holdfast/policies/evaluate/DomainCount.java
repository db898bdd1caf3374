package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * How many pods a rule of a pod counts in a domain: for topology spread all that its selector matches, with the pod
 * itself; for pod affinity and anti-affinity the other pods that its terms match.
 *
 * @param ofPod whether the pod's node is in the domain
 * @param pods the number of pods
 * @param counted these pods, in no order
 */
public record DomainCount(String topologyKey, String value, boolean ofPod, int pods, List<Pod> counted) {
    public DomainCount {
        counted = List.copyOf(counted);
    }

    /** {@return the same domain without some of the pods} */
    public DomainCount without(Predicate<Pod> leftOut) {
        List<Pod> rest = counted.stream().filter(leftOut.negate()).toList();
        return new DomainCount(topologyKey, value, ofPod, rest.size(), rest);
    }

    /**
     * {@return the domains of a rule, in no order} A spread constraint has all its domains, even if they are empty. The
     * other rules have the domains with pods, and the domain of the pod's node. Node affinity has none, and neither has
     * a rule that cannot be parsed.
     */
    public static List<DomainCount> of(Rule rule, Pod pod, ClusterView view) {
        Map<Domain, List<Pod>> domains = new HashMap<>();
        BiConsumer<Domain, Pod> add = (domain, other) ->
                domains.computeIfAbsent(domain, _ -> new ArrayList<>()).add(other);
        Optional<Node> node = pod.nodeName().flatMap(view::node);
        List<String> keys = switch (rule.mergedFor(pod.labels())) {
            case Rule.NodeAffinity _ -> List.of();
            case Rule.PodAffinity affinity -> PodAffinityEvaluator.count(affinity, pod, view, add);
            case Rule.PodAntiAffinity anti -> PodAntiAffinityEvaluator.count(anti, pod, view, add);
            case Rule.TopologySpread spread ->
                TopologySpreadEvaluator.count(
                        spread, pod, view, domain -> domains.putIfAbsent(domain, new ArrayList<>()), add);
        };
        List<Domain> own = keys.stream()
                .flatMap(key -> node.flatMap(it -> Domain.of(it, key)).stream())
                .toList();
        own.forEach(domain -> domains.putIfAbsent(domain, new ArrayList<>()));
        List<DomainCount> counts = new ArrayList<>();
        domains.forEach((domain, pods) -> counts.add(
                new DomainCount(domain.topologyKey(), domain.value(), own.contains(domain), pods.size(), pods)));
        return counts;
    }
}
