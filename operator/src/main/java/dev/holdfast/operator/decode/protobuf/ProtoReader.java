package dev.holdfast.operator.decode.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A cursor over the fields of a protobuf message. {@link #next} goes to a field, and exactly one of the other methods
 * then reads or skips it.
 *
 * <p>What is nested is read in place, between {@link #enter} and {@link #leave}; whatever a length claims, nothing
 * outside of the message around it is looked at. Groups, which Kubernetes never writes, are errors.
 */
public final class ProtoReader {
    private static final int DEEPEST = 100;

    /** The number of no field. */
    public static final int NO_FIELD = 0;

    static final int VARINT = 0;
    static final int FIXED_64 = 1;
    static final int LENGTH = 2;
    static final int FIXED_32 = 5;

    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private int depth;

    /** What to add to a place in the array for its place in the body. */
    private long base;

    private int field;
    private int fieldStart;
    private int wireType;

    /** Starts on a message. */
    public void open(ByteSlice message) {
        open(message.buffer(), message.from(), message.to(), message.offset());
    }

    /**
     * Starts on a message.
     *
     * @param offset where in the body it begins
     */
    void open(byte[] buffer, int from, int to, long offset) {
        bytes = buffer;
        at = from;
        end = to;
        depth = 0;
        base = offset - from;
    }

    /** {@return whether there is one more field in this message, to which it goes} */
    public boolean next() throws MalformedException {
        if (at == end) {
            return false;
        }
        fieldStart = at;
        long tag = number();
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        if (tag >>> 32 != 0 || field == NO_FIELD) {
            throw wrong(fieldStart, "no field has the tag " + Long.toUnsignedString(tag));
        }
        if (wireType != LENGTH && wireType != VARINT && wireType != FIXED_32 && wireType != FIXED_64) {
            throw wrong(fieldStart, "field " + field + " has the wire type " + wireType);
        }
        return true;
    }

    /** {@return whether nothing is left of this message} */
    public boolean atEnd() {
        return at == end;
    }

    /** {@return the number of the field} */
    public int field() {
        return field;
    }

    /** {@return where in the array the field begins, with its tag} */
    public int fieldStart() {
        return fieldStart;
    }

    /** {@return where in the array the field has ended, once it is read} */
    public int position() {
        return at;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** {@return the place in the body of a place in the array} */
    public long offset(int place) {
        return base + place;
    }

    public void skip() throws MalformedException {
        switch (wireType) {
            case VARINT -> number();
            case FIXED_64 -> jump(Long.BYTES);
            case FIXED_32 -> jump(Integer.BYTES);
            default -> value();
        }
    }

    private void jump(int width) throws MalformedException {
        if (width > end - at) {
            throw wrong(at, "field " + field + " takes " + width + " bytes, and " + (end - at) + " are left");
        }
        at += width;
    }

    public boolean bool() throws MalformedException {
        expect(VARINT);
        return number() != 0;
    }

    public int int32() throws MalformedException {
        long value = int64();
        if (value != (int) value) {
            throw wrong(fieldStart, "field " + field + " is " + value + ", which has more than 32 bits");
        }
        return (int) value;
    }

    public long int64() throws MalformedException {
        expect(VARINT);
        return number();
    }

    /** {@return where in the array the bytes of the field begin; they end at {@link #position}} */
    public int value() throws MalformedException {
        expect(LENGTH);
        int length = length();
        int from = at;
        at += length;
        return from;
    }

    /** {@return the bytes of the field} */
    public ByteSlice byteSlice() throws MalformedException {
        int from = value();
        return new ByteSlice(bytes, from, at, offset(from));
    }

    /** {@return whether the field is this text} */
    public boolean is(byte[] text) throws MalformedException {
        return is(value(), text);
    }

    /** {@return whether the field that was just read, the bytes of which begin there, is this text} */
    public boolean is(int from, byte[] text) {
        return Arrays.equals(bytes, from, at, text, 0, text.length);
    }

    /**
     * {@return the field as text; bytes that are no UTF-8 become U+FFFD, as in JSON}
     *
     * <p>They are no error because who may create pods could then stop the feed with an odd name of an owner.
     */
    public String string() throws MalformedException {
        int from = value();
        return new String(bytes, from, at - from, StandardCharsets.UTF_8);
    }

    /** {@return the field as a resourceVersion, which since Kubernetes 1.35 is promised to be a number that grows} */
    public long version() throws MalformedException {
        ByteSlice text = byteSlice();
        long version = text.length() == 0 ? -1 : 0;
        for (int i = text.from(); i < text.to() && version >= 0; i++) {
            int digit = bytes[i] - '0';
            boolean fits = digit >= 0 && digit <= 9 && version <= (Long.MAX_VALUE - digit) / 10;
            version = fits ? version * 10 + digit : -1;
        }
        if (version < 0) {
            throw wrong(
                    text.from(), "the resourceVersion is \"" + text.beginning() + "\", not a number of up to 63 bits");
        }
        return version;
    }

    /** {@return where the message around ends, for {@link #leave}} The cursor goes into the field. */
    public int enter() throws MalformedException {
        expect(LENGTH);
        int length = length();
        depth++;
        if (depth > DEEPEST) {
            throw wrong(fieldStart, "messages are nested deeper than " + DEEPEST);
        }
        int outer = end;
        end = at + length;
        return outer;
    }

    /** Goes back to the message around, after the field. */
    public void leave(int outer) {
        at = end;
        end = outer;
        depth--;
    }

    private void expect(int wanted) throws MalformedException {
        if (wireType != wanted) {
            throw wrong(fieldStart, "field " + field + " has the wire type " + wireType + ", not " + wanted);
        }
    }

    private int length() throws MalformedException {
        int start = at;
        long length = number();
        if (length < 0 || length > end - at) {
            throw wrong(
                    start,
                    "field " + field + " is " + Long.toUnsignedString(length) + " bytes long, and " + (end - at)
                            + " are left");
        }
        return (int) length;
    }

    private long number() throws MalformedException {
        int start = at;
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at == end) {
                throw wrong(at, "the message ends within a number");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0 && (shift < 63 || next <= 1)) {
                return value;
            }
        }
        throw wrong(start, "a number has more than 64 bits");
    }

    /** {@return the complaint about a place in the array} */
    public MalformedException wrong(int place, String what) {
        return new MalformedException(offset(place), what);
    }
}
