package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/**
 * Holds a pod whose node is not Ready. The kubelet could not end the pod, so the pod would stay terminating. If the
 * node does not come back, the taint manager of Kubernetes deletes its pods. Pods that tolerate the taint for ever stay
 * until a person repairs or deletes the node.
 */
final class NodeNotReadyCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .view()
                .node(candidate.node())
                .filter(node -> !node.ready())
                .map(node -> Hold.untilChange(
                        Reason.NODE_NOT_READY,
                        "node " + node.name() + " is not Ready, so its kubelet could not end the pod; if this lasts,"
                                + " Kubernetes deletes the pods of the node"));
    }
}
