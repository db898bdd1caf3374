package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.Metadata;
import dev.holdfast.operator.decode.meta.ObjectFields;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.Region;
import dev.holdfast.operator.decode.protobuf.Words;
import dev.holdfast.policies.model.Namespace;

/** Reads a Namespace of core/v1, of which only the metadata counts. */
public final class NamespaceDecoder implements ObjectDecoder<Namespace> {
    private final Metadata metadata = new Metadata(new Words());
    private final ProtoReader reader = new ProtoReader();

    @Override
    public Namespace decode(Region object) throws MalformedException {
        metadata.clear();
        reader.open(object);
        while (reader.next()) {
            if (reader.field() == ObjectFields.METADATA) {
                metadata.read(reader);
            } else {
                reader.skip();
            }
        }
        return new Namespace(
                metadata.name(object), metadata.resourceVersion(object), metadata.labels(), metadata.marks());
    }
}
