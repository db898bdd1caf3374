package dev.holdfast.policies.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A label selector as written. All its parts must match; a selector without parts matches everything.
 *
 * <p>An absent selector matches nothing. It is represented as an empty {@code Optional}, never as this type.
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

    /** {@return the selected pods as text in the description of a rule: {@code (app=web)}, or {@code every pod}} */
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
