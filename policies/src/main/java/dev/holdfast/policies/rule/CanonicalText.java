package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The canonical text of a rule's content, from which {@link RuleIdentity} is computed. Rules with different contents
 * have different texts: each string is preceded by its length, and an absent part is not written like an empty one.
 * Lists whose order has no meaning are sorted.
 */
final class CanonicalText {
    private CanonicalText() {}

    static String spread(TopologySpreadConstraint constraint) {
        return constraint.maxSkew()
                + "," + constraint.minDomains()
                + "," + constraint.nodeAffinityPolicy()
                + "," + constraint.nodeTaintsPolicy()
                + string(constraint.topologyKey())
                + optional(constraint.labelSelector(), CanonicalText::selector)
                + strings(constraint.matchLabelKeys());
    }

    static String podTerm(PodAffinityTerm term) {
        return string(term.topologyKey())
                + optional(term.labelSelector(), CanonicalText::selector)
                + strings(term.namespaces())
                + optional(term.namespaceSelector(), CanonicalText::selector)
                + strings(term.matchLabelKeys())
                + strings(term.mismatchLabelKeys());
    }

    static String nodeTerm(NodeSelectorTerm term) {
        return set(term.matchExpressions(), CanonicalText::requirement)
                + set(term.matchFields(), CanonicalText::requirement);
    }

    private static String selector(LabelSelector selector) {
        return labels(selector.matchLabels()) + set(selector.matchExpressions(), CanonicalText::requirement);
    }

    private static String requirement(Requirement requirement) {
        return string(requirement.key()) + string(requirement.operator()) + values(requirement.values());
    }

    /** Sorts the values and keeps duplicates, because {@code Gt [5]} is valid and {@code Gt [5 5]} is not. */
    private static String values(List<String> values) {
        return values.stream().map(CanonicalText::string).sorted().collect(Collectors.joining("", "[", "]"));
    }

    static String labels(Labels labels) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < labels.size(); i++) {
            text.append(string(labels.key(i))).append(string(labels.value(i)));
        }
        return text.append('}').toString();
    }

    static String strings(List<String> strings) {
        return set(strings, CanonicalText::string);
    }

    static <T> String set(List<T> members, Function<T, String> text) {
        return members.stream().map(text).distinct().sorted().collect(Collectors.joining("", "[", "]"));
    }

    static <T> String optional(Optional<T> part, Function<T, String> text) {
        return part.map(it -> "+" + text.apply(it)).orElse("-");
    }

    static String string(String text) {
        return text.length() + ":" + text;
    }
}
