package dev.holdfast.operator.decode.protobuf;

import dev.holdfast.operator.decode.fields.Fields;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reader of the events of a watch. Each event is a frame: a big-endian length of four bytes, then a {@code WatchEvent}.
 * Field 1 of the event is its type, and field 2 a {@code RawExtension}. Field 1 of that is the envelope, which contains
 * the object.
 */
public final class WatchReader {
    /** The longest accepted frame in bytes; etcd accepts objects of 1.5 MiB by default. */
    public static final int LARGEST_FRAME = 16 << 20;

    private static final int HEADER = Integer.BYTES;
    private static final int ABSENT = -1;

    /** The type of nearly all events, which is therefore compared first. */
    private static final byte[] MODIFIED = "MODIFIED".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] ERROR = "ERROR".getBytes(StandardCharsets.US_ASCII);

    /** The kind of the object in an event of type {@code ERROR}, whatever kind is watched. */
    private static final byte[] STATUS = "Status".getBytes(StandardCharsets.US_ASCII);

    private final ReadBuffer readBuffer;
    private final byte[] kind;
    private final ProtoReader reader = new ProtoReader();
    private final VersionDecoder versions = new VersionDecoder();
    private final StatusDecoder statuses = new StatusDecoder();

    /**
     * Where the envelope of the current event's object begins and ends, as indexes in the reader's array. Both indexes
     * are {@link #ABSENT} until the envelope is found.
     */
    private int envelopeFrom = ABSENT;

    private int envelopeTo = ABSENT;

    /**
     * A reader of one watch.
     *
     * @param body not closed by the reader
     * @param kind the {@code kind} of the watched objects: {@code Pod}
     */
    public WatchReader(InputStream body, String kind) {
        this.readBuffer = new ReadBuffer(body);
        this.kind = kind.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Waits for the next frame.
     *
     * @return the frame, valid until the next call; empty if the body ended after a whole frame, as at the timeout of a
     *     watch
     * @throws MalformedException if the body ended within a frame, or the frame is invalid or of another kind
     * @throws IOException if reading the body fails
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
                    "a frame of " + length + " bytes (\"" + header.beginning() + "\"): 1 to " + LARGEST_FRAME
                            + " are allowed");
        }
        readBuffer.skip(HEADER);
        if (!readBuffer.has((int) length)) {
            throw readBuffer.cut();
        }
        return Optional.of(frame(readBuffer.take((int) length)));
    }

    /** Decodes one event. To save memory, allocates slices only for the type and the object of the event. */
    private WatchFrame frame(ByteSlice event) throws MalformedException {
        int typeFrom = ABSENT;
        int typeTo = ABSENT;
        envelopeFrom = ABSENT;
        reader.open(event);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.WatchEvent.TYPE -> {
                    typeFrom = reader.value();
                    typeTo = reader.position();
                }
                case Fields.WatchEvent.OBJECT -> raw();
                default -> reader.skip();
            }
        }
        if (typeFrom == ABSENT || envelopeFrom == ABSENT) {
            throw new MalformedException(event.offset(), "an event without a type or without an object");
        }
        ByteSlice type = event.part(typeFrom, typeTo);
        if (type.is(ERROR)) {
            return statuses.decode(Envelope.open(event, envelopeFrom, envelopeTo, reader, STATUS));
        }
        return frame(type, Envelope.open(event, envelopeFrom, envelopeTo, reader, kind));
    }

    private WatchFrame frame(ByteSlice type, ByteSlice object) throws MalformedException {
        if (type.is(MODIFIED)) {
            return new WatchFrame.Changed(object);
        }
        return switch (type.text()) {
            case "ADDED" -> new WatchFrame.Changed(object);
            case "DELETED" -> new WatchFrame.Deleted(object);
            case "BOOKMARK" -> new WatchFrame.Bookmark(versions.decode(object));
            default -> throw new MalformedException(type.offset(), "an event of the unknown type " + type.beginning());
        };
    }

    private void raw() throws MalformedException {
        envelopeFrom = ABSENT;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.RawExtension.RAW) {
                envelopeFrom = reader.value();
                envelopeTo = reader.position();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
