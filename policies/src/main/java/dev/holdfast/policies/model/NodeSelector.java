package dev.holdfast.policies.model;

import java.util.List;
import java.util.stream.Collectors;

/** Required node affinity as written: a node matches if at least one term matches. Without terms, no node matches. */
public record NodeSelector(List<NodeSelectorTerm> terms) {
    public NodeSelector {
        terms = List.copyOf(terms);
    }

    @Override
    public String toString() {
        return terms.isEmpty()
                ? "no term"
                : terms.stream().map(NodeSelectorTerm::toString).collect(Collectors.joining(" or "));
    }
}
