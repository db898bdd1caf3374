package dev.holdfast.policies.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A label selector as written. All its labels and expressions must match. The empty selector <code>{}</code> matches
 * every object.
 *
 * <p>A selector that the user left out matches no object. Such a selector is an empty {@code Optional}.
 *
 * @param matchExpressions in the order written
 */
public record LabelSelector(Labels matchLabels, List<Requirement> matchExpressions) {
    private static final LabelSelector EVERYTHING = new LabelSelector(Labels.none(), List.of());

    public LabelSelector {
        matchExpressions = List.copyOf(matchExpressions);
    }

    /** {@return the empty selector <code>{}</code>, which matches every object} */
    public static LabelSelector everything() {
        return EVERYTHING;
    }

    /** {@return whether this is the empty selector <code>{}</code>} */
    public boolean isEmpty() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }

    /** {@return a copy of this selector with one more expression, which must match too} */
    public LabelSelector and(Requirement requirement) {
        List<Requirement> expressions = new ArrayList<>(matchExpressions);
        expressions.add(requirement);
        return new LabelSelector(matchLabels, expressions);
    }

    /** {@return whether another selector is this one with further expressions after its own, or without} */
    boolean isExtendedBy(LabelSelector other) {
        return matchLabels.equals(other.matchLabels)
                && other.matchExpressions.size() >= matchExpressions.size()
                && other.matchExpressions.subList(0, matchExpressions.size()).equals(matchExpressions);
    }

    /** {@return the selected pods as text for messages: {@code (app=web)}, or {@code every pod} for <code>{}</code>} */
    String ofPods() {
        return isEmpty() ? "every pod" : "(" + this + ")";
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < matchLabels.size(); i++) {
            parts.add(matchLabels.key(i) + "=" + QuotedText.value(matchLabels.value(i)));
        }
        matchExpressions.forEach(expression -> parts.add(expression.toString()));
        return parts.isEmpty() ? "{}" : String.join(", ", parts);
    }
}
