package dev.holdfast.operator.decode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a watch: four bytes of length, the highest first, then a {@code WatchEvent} of type (1) and object
 * (2), which holds the object in an envelope of its own (1).
 */
public final class WatchReader {
    /** The length of a frame above which it is refused; etcd takes objects of 1.5 MiB as it comes. */
    public static final int LARGEST_FRAME = 16 << 20;

    private static final int HEADER = Integer.BYTES;

    /** What nearly all events are. */
    private static final byte[] MODIFIED = "MODIFIED".getBytes(StandardCharsets.US_ASCII);

    private final Window window;
    private final ProtoReader reader = new ProtoReader();
    private final BookmarkDecoder bookmarks = new BookmarkDecoder();
    private final StatusDecoder statuses = new StatusDecoder();

    /**
     * A reader of one watch.
     *
     * @param body is not closed
     */
    public WatchReader(InputStream body) {
        this.window = new Window(body);
    }

    /**
     * Waits for the next frame.
     *
     * @return empty when the body has ended after a whole frame, as watches do when their time is over
     * @throws MalformedException if it ends anywhere else, or the frame is not one
     * @throws IOException as the body does
     */
    public Optional<WatchFrame> next() throws IOException {
        if (!window.has(1)) {
            return Optional.empty();
        }
        if (!window.has(HEADER)) {
            throw window.cut();
        }
        long length = window.bigEndian();
        if (length == 0 || length > LARGEST_FRAME) {
            Region header = window.take(HEADER);
            throw new MalformedException(
                    header.offset(),
                    "a frame of " + length + " bytes (\"" + header.beginning() + "\"), and 1 to " + LARGEST_FRAME
                            + " are allowed");
        }
        window.skip(HEADER);
        if (!window.has((int) length)) {
            throw window.cut();
        }
        return Optional.of(frame(window.take((int) length)));
    }

    private WatchFrame frame(Region event) throws MalformedException {
        @Nullable Region type = null;
        @Nullable Region envelope = null;
        reader.open(event);
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> type = reader.region();
                case 2 -> envelope = raw();
                default -> reader.skip();
            }
        }
        if (type == null || envelope == null) {
            throw new MalformedException(event.offset(), "an event without a type or without an object");
        }
        return frame(type, Envelope.open(envelope, reader));
    }

    private WatchFrame frame(Region type, Region object) throws MalformedException {
        if (type.is(MODIFIED)) {
            return new WatchFrame.Changed(object);
        }
        return switch (type.text()) {
            case "ADDED" -> new WatchFrame.Changed(object);
            case "DELETED" -> new WatchFrame.Deleted(object);
            case "BOOKMARK" -> bookmarks.decode(object);
            case "ERROR" -> statuses.decode(object);
            default -> throw new MalformedException(type.offset(), "an event of the unknown type " + type.beginning());
        };
    }

    private @Nullable Region raw() throws MalformedException {
        @Nullable Region raw = null;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == 1) {
                raw = reader.region();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return raw;
    }
}
