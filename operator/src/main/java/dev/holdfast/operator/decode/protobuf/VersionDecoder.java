package dev.holdfast.operator.decode.protobuf;

import dev.holdfast.operator.decode.fields.Fields;

/** Decodes the resourceVersion of an object of any kind, and nothing else of it. */
public final class VersionDecoder {
    private final ProtoReader reader = new ProtoReader();
    private long resourceVersion;

    /**
     * {@return the resourceVersion in the metadata of the object}
     *
     * @throws MalformedException if the bytes are not an object with metadata, or it has no resourceVersion
     */
    public long decode(ByteSlice object) throws MalformedException {
        resourceVersion = -1;
        reader.open(object);
        while (reader.next()) {
            if (reader.field() == Fields.PartialObjectMetadata.METADATA) {
                metadata();
            } else {
                reader.skip();
            }
        }
        if (resourceVersion < 0) {
            throw new MalformedException(object.offset(), "an object without a resourceVersion");
        }
        return resourceVersion;
    }

    private void metadata() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.ObjectMeta.RESOURCE_VERSION) {
                resourceVersion = reader.version();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
