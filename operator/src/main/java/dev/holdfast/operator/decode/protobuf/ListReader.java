package dev.holdfast.operator.decode.protobuf;

import dev.holdfast.operator.decode.fields.Fields;
import java.io.IOException;
import java.io.InputStream;

/**
 * Streaming reader of the response body of a LIST; it buffers one item at a time. The body is {@code k8s\0}, then an
 * envelope whose field 2 is the list. The list has a ListMeta in field 1, and the items in field 2.
 *
 * <p>The envelope states the length of the list, which may exceed an int. A body that ends earlier is an error, never a
 * shorter list. So a caller must not rely on the received items before {@link #read} returns.
 */
public final class ListReader {
    /** The longest accepted item in bytes; etcd accepts objects of 1.5 MiB by default. */
    public static final int LARGEST_ITEM = 16 << 20;

    private final ReadBuffer readBuffer;
    private final ProtoReader reader = new ProtoReader();
    private int field;
    private int wireType;

    private boolean listed;
    private long resourceVersion = -1;
    private String continueToken = "";

    /**
     * A reader of one list.
     *
     * @param body read to its end, and not closed
     */
    public ListReader(InputStream body) {
        this.readBuffer = new ReadBuffer(body);
    }

    /**
     * Passes each item to the sink as soon as it has arrived, in the order of the list.
     *
     * @return the metadata of the list, once the list is complete
     * @throws MalformedException if the body is not a whole list, or the sink rejects an item
     * @throws IOException if reading the body fails
     */
    public ListMetadata read(ItemSink sink) throws IOException {
        Envelope.check(readBuffer.peek(ByteSlice.BEGINNING));
        readBuffer.skip(Envelope.MAGIC_LENGTH);
        while (readBuffer.has(1)) {
            next(Long.MAX_VALUE);
            if (field == Fields.Unknown.TYPE_META) {
                type(whole(Long.MAX_VALUE));
            } else if (field == Fields.Unknown.RAW) {
                list(sink);
            } else {
                skip(Long.MAX_VALUE);
            }
        }
        if (!listed) {
            throw new MalformedException(readBuffer.offset(), "the body ends without a list");
        }
        if (resourceVersion < 0) {
            throw new MalformedException(readBuffer.offset(), "the list has no resourceVersion");
        }
        return new ListMetadata(resourceVersion, continueToken);
    }

    /**
     * Throws if the kind does not end with {@code List}. An error sent with status 200 could otherwise be read as an
     * empty list.
     */
    private void type(ByteSlice type) throws MalformedException {
        reader.open(type);
        while (reader.next()) {
            if (reader.field() == Fields.TypeMeta.KIND) {
                ByteSlice kind = reader.byteSlice();
                if (!kind.text().endsWith("List")) {
                    throw new MalformedException(
                            kind.offset(), "expected a list, but this is of kind " + kind.beginning());
                }
            } else {
                reader.skip();
            }
        }
    }

    private void list(ItemSink sink) throws IOException {
        long start = readBuffer.offset();
        if (listed) {
            throw new MalformedException(start, "the body has a second list");
        }
        listed = true;
        long length = length(Long.MAX_VALUE);
        long end = readBuffer.offset() + length;
        while (readBuffer.offset() < end) {
            next(end);
            if (field == Fields.List.METADATA) {
                metadata(whole(end));
            } else if (field == Fields.List.ITEMS) {
                sink.item(whole(end));
            } else {
                skip(end);
            }
        }
    }

    private void metadata(ByteSlice metadata) throws MalformedException {
        reader.open(metadata);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ListMeta.RESOURCE_VERSION -> resourceVersion = reader.version();
                case Fields.ListMeta.CONTINUE -> continueToken = reader.string();
                default -> reader.skip();
            }
        }
    }

    private void next(long end) throws IOException {
        long start = readBuffer.offset();
        long tag = number(end);
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        if (tag >>> 32 != 0 || field == 0) {
            throw new MalformedException(start, "invalid tag " + Long.toUnsignedString(tag));
        }
    }

    /**
     * Reads all bytes of the current field into the buffer, and returns them.
     *
     * @param end the offset in the response body where the enclosing message ends
     */
    private ByteSlice whole(long end) throws IOException {
        long start = readBuffer.offset();
        long length = length(end);
        if (length > LARGEST_ITEM) {
            throw new MalformedException(
                    start, "an item of " + length + " bytes: at most " + LARGEST_ITEM + " are allowed");
        }
        if (!readBuffer.has((int) length)) {
            throw readBuffer.cut();
        }
        return readBuffer.take((int) length);
    }

    private void skip(long end) throws IOException {
        switch (wireType) {
            case ProtoReader.VARINT -> number(end);
            case ProtoReader.FIXED_64 -> skip(Long.BYTES, end);
            case ProtoReader.FIXED_32 -> skip(Integer.BYTES, end);
            default -> readBuffer.skip(length(end));
        }
    }

    private void skip(int width, long end) throws IOException {
        if (width > end - readBuffer.offset()) {
            throw new MalformedException(readBuffer.offset(), "field " + field + " goes beyond the end of the list");
        }
        readBuffer.skip(width);
    }

    private long length(long end) throws IOException {
        if (wireType != ProtoReader.LENGTH) {
            throw new MalformedException(readBuffer.offset(), "field " + field + " has the wire type " + wireType);
        }
        long start = readBuffer.offset();
        long length = number(end);
        if (length < 0 || length > end - readBuffer.offset()) {
            throw new MalformedException(
                    start,
                    "field " + field + " is " + Long.toUnsignedString(length)
                            + " bytes long, which is beyond the end of the list");
        }
        return length;
    }

    private long number(long end) throws IOException {
        long start = readBuffer.offset();
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (readBuffer.offset() == end) {
                throw new MalformedException(end, "the list ends in the middle of a number");
            }
            byte next = readBuffer.next();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0 && (shift < 63 || next <= 1)) {
                return value;
            }
        }
        throw new MalformedException(start, "a number has more than 64 bits");
    }
}
