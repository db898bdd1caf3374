package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.selector.NodeMatcher;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What decides whether a node is eligible: for a spread constraint of a pod, so that the pods on it are counted, or for
 * the pod itself. Equal content means the same eligible nodes.
 *
 * @param requiredKeys the label keys that an eligible node must have (TS-4), in natural order
 * @param nodes the pod's nodeSelector and node affinity; absent if the pod has neither, or with {@code
 *     nodeAffinityPolicy: Ignore}
 * @param tolerations the pod's tolerations without tolerationSeconds; absent if taints do not matter ({@code
 *     nodeTaintsPolicy: Ignore})
 */
public record NodeEligibility(
        List<String> requiredKeys, Optional<NodeRules> nodes, Optional<List<Toleration>> tolerations) {
    public NodeEligibility {
        tolerations = tolerations.map(NodeEligibility::withoutEnds);
    }

    /** {@return the tolerations without the times after which they end, which matter to no new pod} */
    private static List<Toleration> withoutEnds(List<Toleration> tolerations) {
        return tolerations.stream().allMatch(it -> it.seconds().isEmpty())
                ? tolerations
                : tolerations.stream().map(Toleration::withoutEnd).toList();
    }

    /** The nodeSelector and the required node affinity of a pod. */
    public record NodeRules(Labels nodeSelector, Optional<NodeSelector> affinity) {
        private static Optional<NodeRules> of(Scheduling pod) {
            return pod.nodeSelector().isEmpty() && pod.nodeAffinity().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new NodeRules(pod.nodeSelector(), pod.nodeAffinity()));
        }
    }

    /** {@return the nodes on which a spread constraint of this pod counts pods (TS-4, TS-5)} */
    public static NodeEligibility ofSpread(Rule.TopologySpread rule, Scheduling pod) {
        return new NodeEligibility(
                rule.requiredKeys(),
                rule.constraint().nodeAffinityPolicy() == NodeInclusionPolicy.HONOR
                        ? NodeRules.of(pod)
                        : Optional.empty(),
                rule.constraint().nodeTaintsPolicy() == NodeInclusionPolicy.HONOR
                        ? Optional.of(pod.tolerations())
                        : Optional.empty());
    }

    /** {@return the nodes that the pod may use by its nodeSelector, node affinity and tolerations} */
    public static NodeEligibility ofPod(Scheduling pod) {
        return new NodeEligibility(List.of(), NodeRules.of(pod), Optional.of(pod.tolerations()));
    }

    /** {@return whether these nodes are surely among the other ones, because nothing else decides about those} */
    public boolean isWithin(NodeEligibility other) {
        return other.requiredKeys.isEmpty()
                && (other.nodes.isEmpty() || other.nodes.equals(nodes))
                && other.tolerations.equals(tolerations);
    }

    /** {@return all nodes} */
    public static NodeEligibility ofAll() {
        return new NodeEligibility(List.of(), Optional.empty(), Optional.empty());
    }

    /** {@return a test whether a node is eligible} */
    public Predicate<Node> matcher() {
        return matcherDespite(_ -> false);
    }

    /** {@return a test whether a node is eligible if the given taints are left out} */
    public Predicate<Node> matcherDespite(Predicate<Taint> leftOut) {
        List<String> keys = requiredKeys.stream().map(String::intern).toList();
        Optional<NodeMatcher> byLabels = nodes.map(rules -> NodeMatcher.of(rules.nodeSelector(), rules.affinity()));
        Optional<TolerationMatcher> byTaints = tolerations.map(TolerationMatcher::new);
        return node -> hasAll(node, keys)
                && (byLabels.isEmpty() || byLabels.get().matches(node))
                && (byTaints.isEmpty() || !isRepelled(node, byTaints.get(), leftOut));
    }

    private static boolean hasAll(Node node, List<String> keys) {
        for (String key : keys) {
            if (!node.labels().has(key)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isRepelled(Node node, TolerationMatcher tolerated, Predicate<Taint> leftOut) {
        for (Taint taint : node.taints()) {
            if (taint.blocksScheduling() && !tolerated.tolerates(taint) && !leftOut.test(taint)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the keys of the labels that decide, in natural order} */
    public Set<String> labelKeys() {
        Set<String> keys = new TreeSet<>(requiredKeys);
        nodes.ifPresent(
                rules -> keys.addAll(new Rule.NodeAffinity(rules.nodeSelector(), rules.affinity()).labelKeys()));
        return keys;
    }

    /** {@return whether this taint alone would make a node ineligible} */
    public boolean isExcludedBy(Taint taint) {
        return taint.blocksScheduling()
                && tolerations
                        .filter(tolerated -> !new TolerationMatcher(tolerated).tolerates(taint))
                        .isPresent();
    }
}
