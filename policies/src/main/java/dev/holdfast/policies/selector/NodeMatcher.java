package dev.holdfast.policies.selector;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.model.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The parsed nodeSelector and required node affinity of a pod; a node must satisfy both. Source:
 * {@code nodeaffinity.RequiredNodeAffinity} of component-helpers.
 *
 * <p>An invalid term matches no node and has no effect on other terms (NA-6). Therefore parsing always succeeds.
 */
public final class NodeMatcher {
    private final Labels nodeSelector;
    private final Optional<List<Term>> terms;

    private NodeMatcher(Labels nodeSelector, Optional<List<Term>> terms) {
        this.nodeSelector = nodeSelector;
        this.terms = terms;
    }

    /**
     * {@return the matcher of a nodeSelector and a node affinity} An absent affinity matches every node. An affinity
     * without terms matches no node (NA-1).
     */
    public static NodeMatcher of(Labels nodeSelector, Optional<NodeSelector> affinity) {
        return new NodeMatcher(nodeSelector, affinity.map(NodeMatcher::usableTerms));
    }

    /** {@return the matcher of one term alone} An empty term is invalid, since it matches no node (NA-3). */
    public static ParseResult<NodeMatcher> ofTerm(NodeSelectorTerm written) {
        return switch (Term.of(written)) {
            case ParseResult.Usable<Term>(Term term) ->
                new ParseResult.Usable<>(new NodeMatcher(Labels.none(), Optional.of(List.of(term))));
            case ParseResult.Unusable<Term>(String why) -> new ParseResult.Unusable<>(why);
        };
    }

    private static List<Term> usableTerms(NodeSelector affinity) {
        List<Term> usable = new ArrayList<>();
        for (NodeSelectorTerm written : affinity.terms()) {
            if (Term.of(written) instanceof ParseResult.Usable<Term>(Term term)) {
                usable.add(term);
            }
        }
        return usable;
    }

    /** {@return whether the node satisfies both nodeSelector and node affinity} */
    public boolean matches(Node node) {
        for (int i = 0; i < nodeSelector.size(); i++) {
            if (!node.labels().has(nodeSelector.key(i), nodeSelector.value(i))) {
                return false;
            }
        }
        return terms.isEmpty() || anyMatches(terms.get(), node);
    }

    private static boolean anyMatches(List<Term> terms, Node node) {
        for (Term term : terms) {
            if (term.matches(node)) {
                return true;
            }
        }
        return false;
    }

    private record Term(List<LabelRequirement> expressions, List<NameRequirement> names) {
        /** {@return the parsed term; invalid if it has no expressions and fields (NA-3) or if one is invalid (NA-6)} */
        static ParseResult<Term> of(NodeSelectorTerm written) {
            if (written.isEmpty()) {
                return new ParseResult.Unusable<>("it has no expressions and no fields");
            }
            List<LabelRequirement> expressions = new ArrayList<>();
            for (Requirement expression : written.matchExpressions()) {
                switch (LabelRequirement.ofNodeSelector(expression)) {
                    case ParseResult.Usable<LabelRequirement>(LabelRequirement usable) -> expressions.add(usable);
                    case ParseResult.Unusable<LabelRequirement>(String why) -> {
                        return new ParseResult.Unusable<>(why);
                    }
                }
            }
            List<NameRequirement> names = new ArrayList<>();
            for (Requirement field : written.matchFields()) {
                Optional<NameRequirement> name = NameRequirement.of(field);
                if (name.isEmpty()) {
                    return new ParseResult.Unusable<>(
                            "'" + QuotedText.of(field.toString()) + "' must be In or NotIn with one value");
                }
                names.add(name.get());
            }
            return new ParseResult.Usable<>(new Term(expressions, names));
        }

        boolean matches(Node node) {
            for (LabelRequirement expression : expressions) {
                if (!expression.matches(node.labels())) {
                    return false;
                }
            }
            for (NameRequirement name : names) {
                if (!node.name().isEmpty() && !name.matches(node.name())) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * A parsed entry of matchFields: {@code metadata.name In [n]} or {@code NotIn [n]} (NA-8). Any other field is
     * compared as if it were empty (NA-9).
     */
    record NameRequirement(String key, boolean in, String value) {
        static Optional<NameRequirement> of(Requirement field) {
            boolean known = field.operator().equals("In") || field.operator().equals("NotIn");
            if (!known || field.values().size() != 1) {
                return Optional.empty();
            }
            return Optional.of(new NameRequirement(
                    field.key(), field.operator().equals("In"), field.values().getFirst()));
        }

        boolean matches(String nodeName) {
            String actual = key.equals("metadata.name") ? nodeName : "";
            return actual.equals(value) == in;
        }
    }
}
