package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import java.util.HashMap;
import java.util.Map;

/** Decodes a Namespace of core/v1; only its metadata is used. Its label of its name may be absent, as in a file. */
public final class NamespaceDecoder implements ObjectDecoder<Namespace> {
    /** The maximum number of labels of a namespace that Holdfast reads. */
    public static final int MOST_LABELS = 128;

    /** The maximum number of characters in the labels of a namespace that Holdfast reads. */
    public static final int MOST_CHARACTERS = MOST_LABELS * LabelBlock.CHARACTERS;

    private static final String NAME_LABEL = "kubernetes.io/metadata.name";

    private final MetadataDecoder metadataDecoder = new MetadataDecoder(new StringCache(), MOST_LABELS);
    private final ProtoReader reader = new ProtoReader();

    @Override
    public Namespace decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        reader.open(object);
        while (reader.next()) {
            if (reader.field() == Fields.Namespace.METADATA) {
                metadataDecoder.read(reader);
            } else {
                reader.skip();
            }
        }
        String name = metadataDecoder.name(object);
        return new Namespace(
                name,
                metadataDecoder.resourceVersion(object),
                named(metadataDecoder.labels(), name),
                metadataDecoder.withAcknowledgements());
    }

    /** {@return the labels with that of the name, which the API server gives to each namespace} */
    private static Labels named(Labels labels, String name) {
        if (labels.areUnread() || labels.has(NAME_LABEL, name)) {
            return labels;
        }
        Map<String, String> named = new HashMap<>(labels.toMap());
        named.put(NAME_LABEL, name);
        return Labels.of(named);
    }
}
