package dev.holdfast.operator.offline.simulate.object;

import dev.holdfast.operator.offline.dump.admission.Admission;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The versions of a node that is cordoned, fails and recovers. */
public final class NodeStages {
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";

    /** The taint of failed nodes that deletes pods. */
    public static final Taint UNREACHABLE_NOW = new Taint(UNREACHABLE, "", "NoExecute");

    private static final List<Taint> TAINTS = List.of(new Taint(UNREACHABLE, "", "NoSchedule"), UNREACHABLE_NOW);

    private static final List<Taint> NOT_READY_TAINTS =
            List.of(new Taint(NOT_READY, "", "NoSchedule"), new Taint(NOT_READY, "", "NoExecute"));

    /** How the keys of the taints begin that controllers of Kubernetes and of clouds set. */
    private static final List<String> OF_CONTROLLERS =
            List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

    private NodeStages() {}

    public static Node cordoned(Node node) {
        return controlled(with(node, node.taints(), true, node.life()));
    }

    public static Node uncordoned(Node node) {
        return controlled(with(node, node.taints(), false, node.life()));
    }

    /** {@return the node with the taint of cordoned nodes if it is one, as the node lifecycle controller leaves it} */
    public static Node controlled(Node node) {
        List<Taint> others =
                node.taints().stream().filter(taint -> !isOfCordon(taint)).toList();
        boolean tainted = others.size() < node.taints().size();
        if (tainted == node.unschedulable()) {
            return node;
        }
        List<Taint> taints = tainted
                ? others
                : Stream.concat(others.stream(), Stream.of(Placement.CORDON)).toList();
        return with(node, taints, node.unschedulable(), node.life());
    }

    /** {@return the node with the taints of failed nodes if it is one, as the node lifecycle controller leaves it} */
    public static Node readinessControlled(Node node) {
        boolean tainted = node.taints().stream().anyMatch(NodeStages::isOfFailure);
        if (tainted == !node.ready()) {
            return node;
        }
        return with(
                node,
                Stream.concat(
                                node.taints().stream().filter(taint -> !isOfFailure(taint)),
                                node.ready() ? Stream.empty() : NOT_READY_TAINTS.stream())
                        .toList(),
                node.unschedulable(),
                node.life());
    }

    /**
     * {@return a node after {@code kubectl apply} of a file that a person wrote} Applying writes no status. It leaves
     * the cordon and the taints of controllers. Of a node that an API server has stored, it also leaves the labels, and
     * the taints if the file has none: the file set none of them before.
     */
    public static Node applied(Node known, Node file) {
        boolean stored = !Admission.isOfFile(known);
        Map<String, String> labels = new HashMap<>(stored ? known.labels().toMap() : Map.of());
        labels.putAll(file.labels().toMap());
        Stream<Taint> left = known.taints().stream()
                .filter(taint -> (stored && file.taints().isEmpty()) || isOfController(taint))
                .filter(taint -> !file.taints().contains(taint));
        Node after = new Node(
                known.name(),
                known.uid(),
                known.resourceVersion() + 1,
                Labels.of(labels),
                Stream.concat(file.taints().stream(), left).toList(),
                known.unschedulable() || file.unschedulable(),
                known.life(),
                known.allocatable());
        return after.sameExceptVersion(known) ? known : after;
    }

    private static boolean isOfController(Taint taint) {
        return OF_CONTROLLERS.stream().anyMatch(taint.key()::startsWith);
    }

    /** {@return whether the node lifecycle controller gives this taint to nodes that are not Ready} */
    public static boolean isOfFailure(Taint taint) {
        return taint.key().equals(UNREACHABLE) || taint.key().equals(NOT_READY);
    }

    /** {@return the taint of a failed node that deletes pods; empty if the node has none} */
    public static Optional<Taint> failure(Node node) {
        return node.taints().stream()
                .filter(NodeStages::isOfFailure)
                .filter(taint -> taint.effect().equals(UNREACHABLE_NOW.effect()))
                .findFirst();
    }

    private static boolean isOfCordon(Taint taint) {
        return taint.key().equals(Placement.CORDON.key()) && taint.effect().equals(Placement.CORDON.effect());
    }

    /** {@return the node, not Ready, with the taints that the node lifecycle controller gives it} */
    public static Node failed(Node node, Instant now) {
        List<Taint> taints = Stream.concat(node.taints().stream(), TAINTS.stream())
                .distinct()
                .toList();
        return with(node, taints, node.unschedulable(), life(node, false, now));
    }

    /** {@return the node, Ready, without these taints} */
    public static Node recovered(Node node, Instant now) {
        List<Taint> taints =
                node.taints().stream().filter(taint -> !isOfFailure(taint)).toList();
        return with(node, taints, node.unschedulable(), life(node, true, now));
    }

    private static NodeLifecycle life(Node node, boolean ready, Instant now) {
        return new NodeLifecycle(
                ready,
                Optional.of(now),
                node.life().creationTime(),
                node.life().deletionTime(),
                node.life().condition());
    }

    private static Node with(Node node, List<Taint> taints, boolean unschedulable, NodeLifecycle life) {
        return new Node(
                node.name(),
                node.uid(),
                node.resourceVersion() + 1,
                node.labels(),
                taints,
                unschedulable,
                life,
                node.allocatable(),
                node.tooComplex());
    }
}
