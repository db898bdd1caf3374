package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.core.NodeFieldOperator;
import dev.holdfast.crds.v1alpha1.core.NodeFieldRequirement;
import dev.holdfast.crds.v1alpha1.core.NodeSelectorRequirement;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.model.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the node selector terms of a node affinity rule. An invalid term is refused, although Kubernetes accepts such a
 * term in a pod spec, where it matches no node.
 */
final class NodeTermReader {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,18}");

    private NodeTermReader() {}

    static NodeSelector read(dev.holdfast.crds.v1alpha1.core.NodeSelector written, FieldPath fieldPath) {
        FieldPath terms = fieldPath.field("nodeSelectorTerms");
        List<NodeSelectorTerm> read = new ArrayList<>();
        for (dev.holdfast.crds.v1alpha1.core.NodeSelectorTerm term : written.nodeSelectorTerms()) {
            read.add(term(term, terms.item(read.size())));
        }
        if (read.stream().allMatch(NodeSelectorTerm::isEmpty)) {
            terms.refuse("at least one term must have `matchExpressions` or `matchFields`: a term without them matches"
                    + " no node");
        }
        return new NodeSelector(read);
    }

    private static NodeSelectorTerm term(
            dev.holdfast.crds.v1alpha1.core.NodeSelectorTerm written, FieldPath fieldPath) {
        List<Requirement> expressions = new ArrayList<>();
        for (NodeSelectorRequirement expression : written.matchExpressions()) {
            expressions.add(
                    expression(expression, fieldPath.field("matchExpressions").item(expressions.size())));
        }
        List<Requirement> fields = new ArrayList<>();
        for (NodeFieldRequirement field : written.matchFields()) {
            fields.add(field(field, fieldPath.field("matchFields").item(fields.size())));
        }
        return new NodeSelectorTerm(expressions, fields);
    }

    private static Requirement expression(NodeSelectorRequirement written, FieldPath fieldPath) {
        String operator = written.operator().label();
        return switch (written.operator()) {
            case IN, NOT_IN, EXISTS, DOES_NOT_EXIST ->
                SelectorReader.checked(written.key(), operator, written.values(), fieldPath);
            case GT, LT -> comparison(written, fieldPath);
            case UNRECOGNIZED -> {
                fieldPath.field("operator").refuse("must be In, NotIn, Exists, DoesNotExist, Gt or Lt");
                yield new Requirement(written.key(), operator, written.values());
            }
        };
    }

    private static Requirement comparison(NodeSelectorRequirement written, FieldPath fieldPath) {
        SelectorReader.key(written.key(), fieldPath.field("key"));
        List<String> values = written.values();
        if (values.size() != 1 || !WHOLE_NUMBER.matcher(values.getFirst()).matches()) {
            fieldPath
                    .field("values")
                    .refuse("must have exactly one whole number, of at most 18 digits and without a sign, when"
                            + " `operator` is '" + written.operator().label() + "'");
        }
        return new Requirement(written.key(), written.operator().label(), values);
    }

    private static Requirement field(NodeFieldRequirement written, FieldPath fieldPath) {
        if (!written.key().equals("metadata.name")) {
            fieldPath.field("key").refuse("must be 'metadata.name', got '" + QuotedText.of(written.key()) + "'");
        }
        if (written.operator() == NodeFieldOperator.UNRECOGNIZED) {
            fieldPath.field("operator").refuse("must be In or NotIn");
        }
        if (written.values().size() != 1) {
            fieldPath
                    .field("values")
                    .refuse("must have exactly one node name; give each further node a term of its own");
        } else if (!Names.isDnsSubdomain(written.values().getFirst())) {
            fieldPath
                    .field("values")
                    .refuse("must be the name of a node: lower-case letters, digits, '-' or '.', beginning and ending"
                            + " with a letter or digit");
        }
        return new Requirement(written.key(), written.operator().label(), written.values());
    }
}
