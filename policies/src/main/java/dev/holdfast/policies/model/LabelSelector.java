package dev.holdfast.policies.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A label selector as written. All its parts must match; with no part at all it matches everything.
 *
 * <p>An absent selector is another thing than this empty one and is always an empty {@code Optional}.
 *
 * @param matchExpressions in the order written
 */
public record LabelSelector(Labels matchLabels, List<Requirement> matchExpressions) {
    private static final LabelSelector EVERYTHING = new LabelSelector(Labels.none(), List.of());

    public LabelSelector {
        matchExpressions = List.copyOf(matchExpressions);
    }

    /** {@return the empty selector <code>{}</code>} */
    public static LabelSelector everything() {
        return EVERYTHING;
    }

    /** {@return whether this is <code>{}</code>} */
    public boolean isEmpty() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }

    /** {@return the same selector with one more expression at its end} */
    public LabelSelector and(Requirement requirement) {
        List<Requirement> expressions = new ArrayList<>(matchExpressions);
        expressions.add(requirement);
        return new LabelSelector(matchLabels, expressions);
    }

    /** {@return the pods it selects, as the description of a rule names them: {@code (app=web)}, or {@code every pod}} */
    String ofPods() {
        return isEmpty() ? "every pod" : "(" + this + ")";
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < matchLabels.size(); i++) {
            parts.add(matchLabels.key(i) + "=" + matchLabels.value(i));
        }
        matchExpressions.forEach(expression -> parts.add(expression.toString()));
        return parts.isEmpty() ? "{}" : String.join(", ", parts);
    }
}
