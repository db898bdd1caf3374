package dev.holdfast.operator.decode.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the frames of a watch: four bytes of length, the highest first, then a {@code WatchEvent} of type (1) and object
 * (2), which holds the object in an envelope of its own (1).
 */
public final class WatchReader {
    /** The length of a frame above which it is refused; etcd takes objects of 1.5 MiB as it comes. */
    public static final int LARGEST_FRAME = 16 << 20;

    private static final int HEADER = Integer.BYTES;
    private static final int ABSENT = -1;

    private static final int TYPE = 1;
    private static final int OBJECT = 2;

    /** Of the object: its envelope. */
    private static final int RAW = 1;

    /** What nearly all events are. */
    private static final byte[] MODIFIED = "MODIFIED".getBytes(StandardCharsets.US_ASCII);

    private final ReadBuffer readBuffer;
    private final ProtoReader reader = new ProtoReader();
    private final BookmarkDecoder bookmarks = new BookmarkDecoder();
    private final StatusDecoder statuses = new StatusDecoder();

    /** Where in the array the envelope of the object lies, if there is one. */
    private int envelopeFrom = ABSENT;

    private int envelopeTo = ABSENT;

    /**
     * A reader of one watch.
     *
     * @param body is not closed
     */
    public WatchReader(InputStream body) {
        this.readBuffer = new ReadBuffer(body);
    }

    /**
     * Waits for the next frame.
     *
     * @return empty when the body has ended after a whole frame, as watches do when their time is over
     * @throws MalformedException if it ends anywhere else, or the frame is not one
     * @throws IOException as the body does
     */
    public Optional<WatchFrame> next() throws IOException {
        if (!readBuffer.has(1)) {
            return Optional.empty();
        }
        if (!readBuffer.has(HEADER)) {
            throw readBuffer.cut();
        }
        long length = readBuffer.bigEndian();
        if (length == 0 || length > LARGEST_FRAME) {
            ByteSlice header = readBuffer.take(HEADER);
            throw new MalformedException(
                    header.offset(),
                    "a frame of " + length + " bytes (\"" + header.beginning() + "\"), and 1 to " + LARGEST_FRAME
                            + " are allowed");
        }
        readBuffer.skip(HEADER);
        if (!readBuffer.has((int) length)) {
            throw readBuffer.cut();
        }
        return Optional.of(frame(readBuffer.take((int) length)));
    }

    /** Of all that it looks at only the object is made a region of. */
    private WatchFrame frame(ByteSlice event) throws MalformedException {
        int typeFrom = ABSENT;
        int typeTo = ABSENT;
        envelopeFrom = ABSENT;
        reader.open(event);
        while (reader.next()) {
            switch (reader.field()) {
                case TYPE -> {
                    typeFrom = reader.value();
                    typeTo = reader.position();
                }
                case OBJECT -> raw();
                default -> reader.skip();
            }
        }
        if (typeFrom == ABSENT || envelopeFrom == ABSENT) {
            throw new MalformedException(event.offset(), "an event without a type or without an object");
        }
        ByteSlice object = Envelope.open(event, envelopeFrom, envelopeTo, reader);
        return frame(event.part(typeFrom, typeTo), object);
    }

    private WatchFrame frame(ByteSlice type, ByteSlice object) throws MalformedException {
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

    private void raw() throws MalformedException {
        envelopeFrom = ABSENT;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == RAW) {
                envelopeFrom = reader.value();
                envelopeTo = reader.position();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
