package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import java.util.ArrayList;
import java.util.List;

/** Decoder of the terms of a NodeSelector of core/v1. A node must match at least one of the terms. */
public final class NodeTerms {
    private NodeTerms() {}

    /** Reads the reader's current field as a NodeSelector, and returns its terms in the order written. */
    public static List<NodeSelectorTerm> read(ProtoReader reader, StringCache stringCache) throws MalformedException {
        List<NodeSelectorTerm> terms = new ArrayList<>();
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.NodeSelector.NODE_SELECTOR_TERMS) {
                terms.add(term(reader, stringCache));
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return terms;
    }

    /** Reads the reader's current field as one NodeSelectorTerm. */
    public static NodeSelectorTerm term(ProtoReader reader, StringCache stringCache) throws MalformedException {
        List<Requirement> expressions = new ArrayList<>();
        List<Requirement> fields = new ArrayList<>();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.NodeSelectorTerm.MATCH_EXPRESSIONS ->
                    expressions.add(SelectorParts.requirement(reader, stringCache));
                case Fields.NodeSelectorTerm.MATCH_FIELDS -> fields.add(SelectorParts.requirement(reader, stringCache));
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return new NodeSelectorTerm(expressions, fields);
    }
}
