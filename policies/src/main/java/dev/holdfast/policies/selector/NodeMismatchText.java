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
import java.util.stream.Stream;

/**
 * Explains for people why a node does not match a nodeSelector and a required node affinity. The terms are parsed once,
 * so an instance is to be kept for all nodes.
 */
public final class NodeMismatchText {
    private static final int MOST_NAMED = 3;
    private static final String EMPTY = "an empty term matches no node";

    /** A name that no node has, because it is invalid. */
    private static final String UNUSED_NAME = " ";

    private final Labels nodeSelector;
    private final Optional<List<Term>> affinity;

    /** A term with its expressions and fields, each as written and parsed, in the order in which they are written. */
    private record Term(NodeSelectorTerm written, List<Expression> expressions, List<Field> fields) {
        static final Term EVERYWHERE = of(new NodeSelectorTerm(List.of(), List.of()));

        static Term of(NodeSelectorTerm written) {
            return new Term(
                    written,
                    written.matchExpressions().stream()
                            .map(it -> new Expression(it, LabelRequirement.ofNodeSelector(it)))
                            .toList(),
                    written.matchFields().stream()
                            .map(it -> new Field(it, NodeMatcher.NameRequirement.of(it)))
                            .toList());
        }
    }

    private record Expression(Requirement written, ParseResult<LabelRequirement> parsed) {}

    private record Field(Requirement written, Optional<NodeMatcher.NameRequirement> parsed) {}

    public NodeMismatchText(Labels nodeSelector, Optional<NodeSelector> affinity) {
        this.nodeSelector = nodeSelector;
        this.affinity = affinity.map(it -> it.terms().stream().map(Term::of).toList());
    }

    /** {@return why no node can match, whatever its labels are: {@code 7.5 is no integer}; empty if a node may} */
    public Optional<String> never() {
        Optional<String> pairs = whyNever(Term.EVERYWHERE);
        if (pairs.isPresent() || affinity.isEmpty()) {
            return pairs;
        }
        List<Term> terms = affinity.get();
        List<String> never = new ArrayList<>();
        for (Term term : terms) {
            neverOf(term).ifPresent(never::add);
        }
        if (never.size() < terms.size()) {
            return Optional.empty();
        }
        return Optional.of(terms.isEmpty() ? "it has no term" : listed(numbered(never)));
    }

    /** {@return the terms that no node can match, each with why; empty if a node may match each of them} */
    public List<String> deadTerms() {
        List<String> dead = new ArrayList<>();
        for (Term term : affinity.orElse(List.of())) {
            neverOf(term).ifPresent(why -> dead.add(QuotedText.of(term.written().toString()) + ": " + why));
        }
        return dead;
    }

    private Optional<String> neverOf(Term term) {
        return term.written().isEmpty() ? Optional.of(EMPTY) : whyNever(term);
    }

    /** {@return why no node has both the pairs of the nodeSelector and what the term wants; empty if a node may} */
    private Optional<String> whyNever(Term term) {
        ConflictingRequirements labels = new ConflictingRequirements();
        for (int i = 0; i < nodeSelector.size(); i++) {
            String key = nodeSelector.key(i);
            String value = nodeSelector.value(i);
            if (!LabelSyntax.isKey(key) || !LabelSyntax.isValue(value)) {
                return Optional.of(QuotedText.of(pair(key, value)) + " is no label that a node can have");
            }
            labels.add(key, value);
        }
        for (Expression expression : term.expressions()) {
            switch (expression.parsed()) {
                case ParseResult.Usable<LabelRequirement>(LabelRequirement usable) ->
                    labels.add(expression.written(), usable);
                case ParseResult.Unusable<LabelRequirement>(String why) -> {
                    return Optional.of(unusable(expression.written(), why));
                }
            }
        }
        return labels.why().or(() -> namesNever(term.fields()));
    }

    /** {@return why no node name satisfies all entries of matchFields; empty if a name may} */
    private static Optional<String> namesNever(List<Field> fields) {
        List<NodeMatcher.NameRequirement> names = new ArrayList<>();
        for (Field field : fields) {
            if (field.parsed().isEmpty()) {
                return Optional.of(QuotedText.of(field.written().toString()) + " must be In or NotIn with one value");
            }
            names.add(field.parsed().get());
        }
        return Stream.concat(names.stream().map(NodeMatcher.NameRequirement::value), Stream.of(UNUSED_NAME))
                        .anyMatch(candidate -> names.stream().allMatch(name -> name.matches(candidate)))
                ? Optional.empty()
                : Optional.of("no node name satisfies its matchFields");
    }

    /** {@return what the node has instead: {@code it has disk=hdd}; only for a node that does not match} */
    public String on(Node node) {
        List<Failing> failing = new ArrayList<>();
        int expressions = nodeSelector.size();
        for (int i = 0; i < nodeSelector.size(); i++) {
            String key = nodeSelector.key(i);
            String value = nodeSelector.value(i);
            if (!node.labels().has(key, value)) {
                failing.add(new Failing(pair(key, value), found(node, key)));
            }
        }
        List<List<Failing>> byTerm = new ArrayList<>();
        for (Term term : affinity.orElse(List.of())) {
            expressions += term.expressions().size() + term.fields().size();
            byTerm.add(failing(term, node));
        }
        if (byTerm.stream().anyMatch(List::isEmpty)) {
            byTerm.clear();
        }
        if (byTerm.size() == 1) {
            failing.addAll(byTerm.getFirst());
        }
        if (expressions == 1 && failing.size() == 1) {
            return failing.getFirst().why();
        }
        List<String> texts =
                new ArrayList<>(failing.stream().map(Failing::describe).toList());
        if (byTerm.size() > 1) {
            texts.addAll(numbered(
                    byTerm.stream().map(term -> term.getFirst().describe()).toList()));
        }
        return listed(texts);
    }

    /** An expression that the node does not satisfy, and why. */
    private record Failing(String expression, String why) {
        String describe() {
            return QuotedText.of(expression) + " fails (" + why + ")";
        }
    }

    private static List<Failing> failing(Term term, Node node) {
        if (term.written().isEmpty()) {
            return List.of(new Failing("{}", EMPTY));
        }
        List<Failing> failing = new ArrayList<>();
        for (Expression expression : term.expressions()) {
            Requirement written = expression.written();
            switch (expression.parsed()) {
                case ParseResult.Unusable<LabelRequirement>(String why) ->
                    failing.add(new Failing(written.toString(), unusable(written, why)));
                case ParseResult.Usable<LabelRequirement>(LabelRequirement usable) -> {
                    if (!usable.matches(node.labels())) {
                        failing.add(new Failing(written.toString(), found(node, usable)));
                    }
                }
            }
        }
        for (Field field : term.fields()) {
            Requirement written = field.written();
            if (field.parsed().isEmpty()) {
                failing.add(new Failing(written.toString(), "it must be In or NotIn with one value"));
            } else if (!node.name().isEmpty() && !field.parsed().get().matches(node.name())) {
                failing.add(new Failing(
                        written.toString(),
                        written.key().equals("metadata.name")
                                ? "its name is " + node.name()
                                : "metadata.name is the only field that is read"));
            }
        }
        return failing;
    }

    private static String found(Node node, LabelRequirement expression) {
        String found = found(node, expression.key());
        return switch (expression) {
            case LabelRequirement.Gt _, LabelRequirement.Lt _ ->
                node.labels()
                        .get(expression.key())
                        .flatMap(NodeMismatchText::noInteger)
                        .map(why -> found + ", which " + why)
                        .orElse(found);
            case LabelRequirement.In _,
                    LabelRequirement.NotIn _,
                    LabelRequirement.Exists _,
                    LabelRequirement.DoesNotExist _ -> found;
        };
    }

    private static String found(Node node, String key) {
        return node.labels()
                .get(key)
                .map(value -> "it has " + pair(key, value))
                .orElseGet(() -> "it has no label " + QuotedText.of(key));
    }

    private static Optional<String> noInteger(String value) {
        if (GoInteger.parse(value).isPresent()) {
            return Optional.empty();
        }
        boolean digits = !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
        return Optional.of(digits ? "exceeds 64 bits" : "is no integer");
    }

    /** {@return why an expression matches no node, whatever its labels are} */
    private static String unusable(Requirement expression, String why) {
        boolean compares =
                expression.operator().equals("Gt") || expression.operator().equals("Lt");
        return compares && expression.values().size() == 1
                ? noInteger(expression.values().getFirst())
                        .map(text -> QuotedText.of(
                                        QuotedText.value(expression.values().getFirst())) + " " + text)
                        .orElse(why)
                : why;
    }

    private static String pair(String key, String value) {
        return QuotedText.of(key) + "=" + QuotedText.value(value);
    }

    private static List<String> numbered(List<String> ofTerms) {
        if (ofTerms.size() == 1) {
            return ofTerms;
        }
        List<String> numbered = new ArrayList<>();
        for (String text : ofTerms) {
            numbered.add("term " + (numbered.size() + 1) + ": " + text);
        }
        return numbered;
    }

    private static String listed(List<String> texts) {
        int more = texts.size() - MOST_NAMED;
        String named = String.join("; ", texts.subList(0, Math.min(texts.size(), MOST_NAMED)));
        return more > 0 ? named + "; and " + more + " more" : named;
    }
}
