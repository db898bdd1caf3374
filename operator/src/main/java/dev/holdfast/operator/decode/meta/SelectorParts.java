package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decoder of a label selector. An absent selector differs from an empty one, which matches everything. */
public final class SelectorParts {
    private final StringCache stringCache;
    private final LabelPairs matchLabels;
    private final List<Requirement> matchExpressions = new ArrayList<>();
    private boolean present;

    public SelectorParts(StringCache stringCache) {
        this.stringCache = stringCache;
        this.matchLabels = new LabelPairs(stringCache);
    }

    /** Reads the reader's current field as a label selector. */
    public void read(ProtoReader reader) throws MalformedException {
        present = true;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.LabelSelector.MATCH_LABELS -> matchLabels.add(reader);
                case Fields.LabelSelector.MATCH_EXPRESSIONS -> matchExpressions.add(requirement(reader, stringCache));
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    public Optional<LabelSelector> selector() {
        return present ? Optional.of(new LabelSelector(matchLabels.labels(), matchExpressions)) : Optional.empty();
    }

    /**
     * Reads the reader's current field as a requirement, and returns it. Label selectors and node selectors use the
     * same field numbers.
     */
    static Requirement requirement(ProtoReader reader, StringCache stringCache) throws MalformedException {
        String key = "";
        String operator = "";
        List<String> values = new ArrayList<>();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.LabelSelectorRequirement.KEY -> key = stringCache.of(reader);
                case Fields.LabelSelectorRequirement.OPERATOR -> operator = stringCache.of(reader);
                case Fields.LabelSelectorRequirement.VALUES -> values.add(stringCache.of(reader));
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return new Requirement(key, operator, values);
    }
}
