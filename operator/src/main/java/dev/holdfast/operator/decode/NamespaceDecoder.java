package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.MetadataFields;
import dev.holdfast.operator.decode.meta.ObjectFields;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Namespace;

/** Decodes a Namespace of core/v1; only its metadata is used. */
public final class NamespaceDecoder implements ObjectDecoder<Namespace> {
    private final MetadataFields metadataFields = new MetadataFields(new StringCache());
    private final ProtoReader reader = new ProtoReader();

    @Override
    public Namespace decode(ByteSlice object) throws MalformedException {
        metadataFields.clear();
        reader.open(object);
        while (reader.next()) {
            if (reader.field() == ObjectFields.METADATA) {
                metadataFields.read(reader);
            } else {
                reader.skip();
            }
        }
        return new Namespace(
                metadataFields.name(object),
                metadataFields.resourceVersion(object),
                metadataFields.labels(),
                metadataFields.disruptionAnnotations());
    }
}
