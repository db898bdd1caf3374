package dev.holdfast.operator.check;

import dev.holdfast.operator.dump.Dump;
import dev.holdfast.operator.dump.DumpException;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Policy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds whole kinds of objects that a dump does not have, without which an answer would only look complete. */
public final class DumpCompleteness {
    private final Dump dump;
    private final Set<String> namespaces = new HashSet<>();
    private final Set<String> nodes = new HashSet<>();
    private boolean hasBoundPods;
    private int onMissingNodes;
    private Optional<Pod> firstOnMissingNode = Optional.empty();
    private Optional<String> missingNamespace = Optional.empty();

    public DumpCompleteness(Dump dump) {
        this.dump = dump;
        for (ClusterEvent object : dump.objects()) {
            switch (object) {
                case ClusterEvent.NamespaceChanged(Namespace namespace) -> namespaces.add(namespace.name());
                case ClusterEvent.NodeChanged(Node node) -> nodes.add(node.name());
                case ClusterEvent _ -> {}
            }
        }
        for (ClusterEvent object : dump.objects()) {
            if (object instanceof ClusterEvent.PodChanged(Pod pod)) {
                see(pod);
            }
        }
    }

    private void see(Pod pod) {
        hasBoundPods |= pod.nodeName().isPresent();
        if (pod.counts() && !nodes.contains(pod.nodeName().orElseThrow())) {
            onMissingNodes++;
            firstOnMissingNode = firstOnMissingNode.or(() -> Optional.of(pod));
        }
        if (!namespaces.contains(pod.namespace())) {
            missingNamespace = missingNamespace
                    .filter(other -> other.compareTo(pod.namespace()) < 0)
                    .or(() -> Optional.of(pod.namespace()));
        }
    }

    /**
     * Requires the kinds without which there is no verdict.
     *
     * @param mayBeEmpty whether the cluster may have no pods
     * @return which verdicts cannot be given, as sentences
     * @throws DumpException if no verdict, or not every policy, can be checked
     */
    public List<String> require(Collection<Policy> policies, boolean mayBeEmpty) throws DumpException {
        if (dump.count("Pod") == 0 && !mayBeEmpty) {
            throw new DumpException("the input has no pods: add `pods` to kubectl get");
        }
        if (dump.count("Node") == 0 && hasBoundPods) {
            throw new DumpException(
                    "the input has no nodes, so there is no verdict on any pod: add `nodes` to kubectl get");
        }
        Optional<Policy> selecting = policies.stream()
                .filter(policy -> policy.namespaces().isPresent())
                .min(Comparator.comparing(Policy::id));
        if (missingNamespace.isPresent() && selecting.isPresent()) {
            throw new DumpException(selecting.get().id() + " selects namespaces by labels, and namespace "
                    + missingNamespace.get() + " is not in the input: add `namespaces` to kubectl get");
        }
        List<String> warnings = new ArrayList<>();
        if (namespaces.isEmpty()) {
            warnings.add(
                    "the input has no namespaces, so there is no verdict on rules that select namespaces by labels:"
                            + " add `namespaces` to kubectl get");
        }
        firstOnMissingNode.ifPresent(pod -> warnings.add(onMissingNodes
                + (onMissingNodes == 1 ? " pod is on a node that is" : " pods are on nodes that are")
                + " not in the input, for example " + pod.name() + " on "
                + pod.nodeName().orElseThrow() + ": no rule of another pod counts them"));
        return warnings;
    }
}
