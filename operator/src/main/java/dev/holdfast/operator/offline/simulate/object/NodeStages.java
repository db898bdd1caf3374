package dev.holdfast.operator.offline.simulate.object;

import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The versions of a node that is cordoned, fails and recovers. */
public final class NodeStages {
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    /** The taint of failed nodes that deletes pods. */
    public static final Taint UNREACHABLE_NOW = new Taint(UNREACHABLE, "", "NoExecute");

    private static final List<Taint> TAINTS = List.of(new Taint(UNREACHABLE, "", "NoSchedule"), UNREACHABLE_NOW);

    private NodeStages() {}

    public static Node cordoned(Node node) {
        return controlled(with(node, node.taints(), true, node.life()));
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
                node.taints().stream().filter(taint -> !TAINTS.contains(taint)).toList();
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
