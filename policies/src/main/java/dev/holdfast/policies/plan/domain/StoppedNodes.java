package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Node;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds nodes that are stopped on purpose: they are not Ready, and a cloud provider, an administrator or a tool says
 * so. Such a node counts as lost for fifteen minutes, as a vanished one does, because a zone that fails may look the
 * same. After that time, the node counts neither as lost nor as healthy.
 */
final class StoppedNodes {
    /** The taint that a cloud controller manager gives to a node whose virtual machine is stopped. */
    private static final String SHUTDOWN = "node.cloudprovider.kubernetes.io/shutdown";

    private StoppedNodes() {}

    /**
     * {@return until when a node that is stopped on purpose counts as lost; empty for all other nodes, and for one that
     * does not report since when it is not Ready}
     */
    static Optional<Instant> countsUntil(Node node) {
        boolean onPurpose = node.unschedulable()
                || node.life().condition().leaving()
                || node.taints().stream().anyMatch(taint -> taint.key().equals(SHUTDOWN));
        return node.ready() || !onPurpose
                ? Optional.empty()
                : node.life().readyChanged().map(since -> since.plus(VanishedNodes.REMEMBERED));
    }
}
