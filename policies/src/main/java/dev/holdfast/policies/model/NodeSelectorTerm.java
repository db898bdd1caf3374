package dev.holdfast.policies.model;

import java.util.ArrayList;
import java.util.List;

/** One term of node affinity. All its expressions and fields must match; an empty term matches no node. */
public record NodeSelectorTerm(List<Requirement> matchExpressions, List<Requirement> matchFields) {
    public NodeSelectorTerm {
        matchExpressions = List.copyOf(matchExpressions);
        matchFields = List.copyOf(matchFields);
    }

    /** {@return whether the term has neither expressions nor fields} */
    public boolean isEmpty() {
        return matchExpressions.isEmpty() && matchFields.isEmpty();
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        matchExpressions.forEach(expression -> parts.add(expression.toString()));
        matchFields.forEach(field -> parts.add(field.toString()));
        return parts.isEmpty() ? "{}" : String.join(", ", parts);
    }
}
