package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.rule.Rule;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Chooses nodes for pods: one that the scheduler's filters accept. Of the scheduler's scores, only those of injected
 * rules are simulated. Then the node with the fewest pods of the same controller is chosen, then the one with the
 * fewest pods.
 */
final class SimulatedScheduler {
    private final LiveCluster cluster;
    private final SchedulerFilters filters;

    SimulatedScheduler(LiveCluster cluster, Function<NamespacedName, ClaimedVolume> volumes) {
        this.cluster = cluster;
        this.filters = new SchedulerFilters(cluster.index(), cluster.resourceFit(), volumes);
    }

    /**
     * {@return the node for a pod; empty if no node takes it, and for a pod with scheduling gates, which waits until
     * something removes them}
     *
     * @param preferred the rules that the pod prefers; of the nodes that take it, those that satisfy most come first
     */
    Optional<Node> nodeFor(Pod pod, List<Rule> preferred) {
        Optional<String> named = templateOf(pod).flatMap(PodTemplate::nodeName);
        return isGated(pod)
                ? Optional.empty()
                : named.isPresent() ? named.flatMap(cluster::node) : chosen(pod, preferred);
    }

    private boolean isGated(Pod pod) {
        return pod.victimProtection().scheduler().gated()
                || templateOf(pod).filter(PodTemplate::gated).isPresent();
    }

    private Optional<PodTemplate> templateOf(Pod pod) {
        return pod.victimProtection()
                .controller()
                .flatMap(it -> cluster.owner(pod.namespace(), it.uid()))
                .flatMap(owner -> owner.podCreation().template());
    }

    private Optional<Node> chosen(Pod pod, List<Rule> preferred) {
        NodeRejection rejection = filters.rejection(pod);
        List<NodeFilter> wanted = preferred.stream()
                .map(rule -> Evaluator.prepare(rule, pod, cluster.index().view()))
                .toList();
        return cluster.nodes().stream()
                .filter(node -> rejection.to(node).isEmpty())
                .min(Comparator.comparingLong((Node node) -> broken(wanted, node))
                        .thenComparingLong(node -> alike(pod, node))
                        .thenComparingInt(node -> cluster.podsOn(node.name()).size())
                        .thenComparing(Node::name));
    }

    private static long broken(List<NodeFilter> wanted, Node node) {
        return wanted.stream()
                .filter(rule -> !(rule.on(node) instanceof Verdict.Satisfied))
                .count();
    }

    /** {@return why a pod has no node now} */
    Waiting why(Pod pod) {
        Optional<String> gone = templateOf(pod)
                .flatMap(PodTemplate::nodeName)
                .filter(node -> cluster.node(node).isEmpty());
        return isGated(pod)
                ? Waiting.GATED
                : gone.map(node -> new Waiting(
                                Waiting.State.NO_NODE,
                                "the pod template names node " + node + " (spec.nodeName), which does not exist"))
                        .orElseGet(() -> new WaitingReasons(cluster, filters).of(pod));
    }

    private long alike(Pod pod, Node node) {
        return cluster.podsOn(node.name()).stream()
                .filter(other -> other.victimProtection()
                        .controller()
                        .equals(pod.victimProtection().controller()))
                .count();
    }
}
