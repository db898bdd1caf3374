package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.Node;
import java.util.Optional;
import java.util.function.Predicate;

/** Nothing is moved that cannot land: some other node must accept the pod with all its rules. */
final class Feasibility {
    private Feasibility() {}

    /** {@return the first node, by name, that would take the candidate; never the one it is on} */
    static Optional<String> target(Candidate candidate, Situation situation) {
        Predicate<Node> accepts =
                Placement.prepare(candidate.pod(), candidate.further(), situation.view(), situation.repulsion());
        return situation.view().nodes().stream()
                .filter(Node::ready)
                .filter(node -> !node.name().equals(candidate.node()))
                .filter(accepts)
                .map(Node::name)
                .findFirst();
    }
}
