package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Namespace;

/** Decodes a Namespace of core/v1; only its metadata is used. */
public final class NamespaceDecoder implements ObjectDecoder<Namespace> {
    /** The maximum number of labels of a namespace that Holdfast reads. */
    public static final int MOST_LABELS = 128;

    /** The maximum number of characters in the labels of a namespace that Holdfast reads. */
    public static final int MOST_CHARACTERS = MOST_LABELS * LabelBlock.CHARACTERS;

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
        return new Namespace(
                metadataDecoder.name(object),
                metadataDecoder.resourceVersion(object),
                metadataDecoder.labels(),
                metadataDecoder.withAcknowledgements());
    }
}
