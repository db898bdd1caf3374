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
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The versions of a node that is cordoned, fails and recovers. */
public final class NodeStages {
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";

    private static final String NO_EXECUTE = "NoExecute";

    /** The taint of failed nodes that deletes pods. */
    public static final Taint UNREACHABLE_NOW = new Taint(UNREACHABLE, "", NO_EXECUTE);

    private static final Taint UNREACHABLE_SOON = new Taint(UNREACHABLE, "", "NoSchedule");
    private static final Taint NOT_READY_SOON = new Taint(NOT_READY, "", "NoSchedule");

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

    /** {@return the taints of a node that delete pods} */
    public static List<Taint> noExecute(Node node) {
        return node.taints().stream()
                .filter(taint -> taint.effect().equals(NO_EXECUTE))
                .toList();
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

    /**
     * {@return the node with the taint against new pods if it has failed, and without such taints otherwise} The taint
     * that deletes pods is {@link #deleting}.
     */
    public static Node readinessControlled(Node node) {
        boolean tainted = node.taints().stream().anyMatch(NodeStages::isOfFailure);
        if (tainted == !node.ready()) {
            return node;
        }
        return node.ready()
                ? without(node, NodeStages::isOfFailure)
                : with(node, and(node, NOT_READY_SOON), node.unschedulable(), node.life());
    }

    /** {@return a failed node with the taint that deletes its pods} */
    public static Node deleting(Node node) {
        String key = node.taints().stream()
                .filter(NodeStages::isOfFailure)
                .map(Taint::key)
                .findFirst()
                .orElse(NOT_READY);
        return with(node, and(node, new Taint(key, "", NO_EXECUTE)), node.unschedulable(), node.life());
    }

    /** {@return a failed node without the taints that delete its pods} */
    public static Node sparing(Node node) {
        return without(node, NodeStages::isDeleting);
    }

    private static boolean isDeleting(Taint taint) {
        return isOfFailure(taint) && taint.effect().equals(NO_EXECUTE);
    }

    private static Node without(Node node, Predicate<Taint> taints) {
        return with(node, node.taints().stream().filter(taints.negate()).toList(), node.unschedulable(), node.life());
    }

    private static List<Taint> and(Node node, Taint taint) {
        return Stream.concat(node.taints().stream(), Stream.of(taint))
                .distinct()
                .toList();
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
        return node.taints().stream().filter(NodeStages::isDeleting).findFirst();
    }

    private static boolean isOfCordon(Taint taint) {
        return taint.key().equals(Placement.CORDON.key()) && taint.effect().equals(Placement.CORDON.effect());
    }

    /** {@return the node, not Ready, with the taint against new pods that the node lifecycle controller gives it} */
    public static Node failed(Node node, Instant now) {
        return with(node, and(node, UNREACHABLE_SOON), node.unschedulable(), life(node, false, now));
    }

    /** {@return the node, Ready, without these taints} */
    public static Node recovered(Node node, Instant now) {
        Node untainted = without(node, NodeStages::isOfFailure);
        return with(untainted, untainted.taints(), node.unschedulable(), life(node, true, now));
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
