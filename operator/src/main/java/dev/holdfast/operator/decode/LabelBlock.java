package dev.holdfast.operator.decode;

import dev.holdfast.policies.model.Labels;

/**
 * All labels of an object, and what they say of it.
 *
 * @param gangMember whether a pod with them belongs to a group of pods that live and die together
 */
record LabelBlock(Labels labels, boolean gangMember) {
    static final LabelBlock NONE = new LabelBlock(Labels.none(), false);

    /** {@return what fields 11 of a metadata say, read by what has done what it had to} */
    static LabelBlock read(Region fields, ProtoReader reader, LabelPairs pairs) throws MalformedException {
        reader.open(fields);
        pairs.clear();
        while (reader.next()) {
            pairs.add(reader);
        }
        Labels labels = pairs.labels();
        return new LabelBlock(labels, ApiWords.gangMember(labels));
    }
}
