package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.Node;
import java.util.Optional;
import java.util.function.Predicate;

/** Nothing is moved that cannot land: some other node must accept the pod with all its rules. */
final class Feasibility {
    private Feasibility() {}

    /**
     * What came of looking for a place.
     *
     * @param target the first node, by name, that would take the candidate
     * @param tried how many nodes were asked
     */
    record Search(Optional<String> target, int tried) {}

    /** {@return the node that would take the candidate; never the one it is on} */
    static Optional<String> target(Candidate candidate, Situation situation) {
        return search(candidate, situation).target();
    }

    /** {@return the same, and what it took} */
    static Search search(Candidate candidate, Situation situation) {
        Predicate<Node> accepts =
                Placement.prepare(candidate.pod(), candidate.further(), situation.view(), situation.repulsion());
        int tried = 0;
        for (Node node : situation.view().nodes()) {
            if (node.ready() && !node.name().equals(candidate.node())) {
                tried++;
                if (accepts.test(node)) {
                    return new Search(Optional.of(node.name()), tried);
                }
            }
        }
        return new Search(Optional.empty(), tried);
    }
}
