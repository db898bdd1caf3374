package dev.holdfast.operator.decode;

import java.nio.charset.StandardCharsets;

/** Reads the object of a bookmark, of whatever kind, which has metadata and nothing else. */
final class BookmarkDecoder implements ObjectDecoder<WatchFrame.Bookmark> {
    private static final byte[] INITIAL_EVENTS_END = "k8s.io/initial-events-end".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};

    private final ProtoReader reader = new ProtoReader();
    private long resourceVersion;
    private boolean initialEventsEnd;

    @Override
    public WatchFrame.Bookmark decode(Region object) throws MalformedException {
        resourceVersion = -1;
        initialEventsEnd = false;
        reader.open(object);
        while (reader.next()) {
            if (reader.field() == 1) {
                metadata();
            } else {
                reader.skip();
            }
        }
        if (resourceVersion < 0) {
            throw new MalformedException(object.offset(), "a bookmark without a resourceVersion");
        }
        return new WatchFrame.Bookmark(resourceVersion, initialEventsEnd);
    }

    private void metadata() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case 6 -> resourceVersion = reader.version();
                case 12 -> annotation();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void annotation() throws MalformedException {
        int outer = reader.enter();
        boolean key = false;
        boolean value = false;
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> key = reader.is(INITIAL_EVENTS_END);
                case 2 -> value = reader.is(TRUE);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        initialEventsEnd |= key && value;
    }
}
