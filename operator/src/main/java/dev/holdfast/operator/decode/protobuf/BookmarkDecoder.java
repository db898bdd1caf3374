package dev.holdfast.operator.decode.protobuf;

/** Decodes the object in a watch bookmark. The object has only metadata, whatever kind is watched. */
final class BookmarkDecoder implements ObjectDecoder<WatchFrame.Bookmark> {
    private static final int METADATA = 1;

    /** Field number in the metadata. */
    private static final int RESOURCE_VERSION = 6;

    private final ProtoReader reader = new ProtoReader();
    private long resourceVersion;

    @Override
    public WatchFrame.Bookmark decode(ByteSlice object) throws MalformedException {
        resourceVersion = -1;
        reader.open(object);
        while (reader.next()) {
            if (reader.field() == METADATA) {
                metadata();
            } else {
                reader.skip();
            }
        }
        if (resourceVersion < 0) {
            throw new MalformedException(object.offset(), "a bookmark without a resourceVersion");
        }
        return new WatchFrame.Bookmark(resourceVersion);
    }

    private void metadata() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == RESOURCE_VERSION) {
                resourceVersion = reader.version();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
