package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.Node;
import java.util.Optional;

/** Nothing is moved that cannot land: some other node must accept the pod with all its rules. */
final class Feasibility {
    private Feasibility() {}

    /** {@return the first node, by name, that would take the candidate; never the one it is on} */
    static Optional<String> target(Candidate candidate, Situation situation) {
        return Placement.fits(candidate.pod(), candidate.further(), situation.view()).stream()
                .filter(Node::ready)
                .map(Node::name)
                .filter(node -> !node.equals(candidate.node()))
                .findFirst();
    }
}
