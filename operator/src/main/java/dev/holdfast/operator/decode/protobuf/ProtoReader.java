package dev.holdfast.operator.decode.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cursor over the fields of a protobuf message. {@link #next} moves to the next field, and exactly one of the other
 * methods must then read or skip it.
 *
 * <p>Nested messages are read in place, between {@link #enter} and {@link #leave}. A length that exceeds the enclosing
 * message is an error, as are groups, which Kubernetes never writes.
 */
public final class ProtoReader {
    private static final int DEEPEST = 100;

    /** A number that no field has. */
    public static final int NO_FIELD = 0;

    static final int VARINT = 0;
    static final int FIXED_64 = 1;
    static final int LENGTH = 2;
    static final int FIXED_32 = 5;

    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private int depth;

    /** The difference between an offset in the body and its index in the array. */
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
     * @param offset of the message in the body
     */
    void open(byte[] buffer, int from, int to, long offset) {
        bytes = buffer;
        at = from;
        end = to;
        depth = 0;
        base = offset - from;
    }

    /** {@return whether this message has another field, to which the cursor moves} */
    public boolean next() throws MalformedException {
        if (at == end) {
            return false;
        }
        fieldStart = at;
        long tag = number();
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        if (tag >>> 32 != 0 || field == NO_FIELD) {
            throw wrong(fieldStart, "invalid tag " + Long.toUnsignedString(tag));
        }
        if (wireType != LENGTH && wireType != VARINT && wireType != FIXED_32 && wireType != FIXED_64) {
            throw wrong(fieldStart, "field " + field + " has the wire type " + wireType);
        }
        return true;
    }

    /** {@return whether the cursor is at the end of this message} */
    public boolean atEnd() {
        return at == end;
    }

    /** {@return the number of the field} */
    public int field() {
        return field;
    }

    /** {@return the index in the array of the field's tag} */
    public int fieldStart() {
        return fieldStart;
    }

    /** {@return the index in the array after the field, once it is read} */
    public int position() {
        return at;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** {@return the offset in the body of an index in the array} */
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
            throw wrong(at, "field " + field + " takes " + width + " bytes, but " + (end - at) + " are left");
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

    /** {@return the index in the array where the bytes of the field begin; they end at {@link #position}} */
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

    /** {@return whether the field equals this text} */
    public boolean is(byte[] text) throws MalformedException {
        return is(value(), text);
    }

    /** {@return whether the field just read, whose bytes begin at {@code from}, equals this text} */
    public boolean is(int from, byte[] text) {
        return Arrays.equals(bytes, from, at, text, 0, text.length);
    }

    /**
     * {@return the field as text; invalid UTF-8 becomes U+FFFD, as in JSON}
     *
     * <p>Invalid UTF-8 is accepted, since a user who may create pods could otherwise stop the feed with a bad owner
     * name.
     */
    public String string() throws MalformedException {
        int from = value();
        return new String(bytes, from, at - from, StandardCharsets.UTF_8);
    }

    /** {@return the field as a resourceVersion, which Kubernetes 1.35 and later define as a growing number} */
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

    /** {@return the end of the enclosing message, for {@link #leave}} The cursor moves into the nested message. */
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

    /** Returns to the enclosing message, after the nested one. */
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
                    "field " + field + " is " + Long.toUnsignedString(length) + " bytes long, but " + (end - at)
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

    /** {@return an error at an index in the array} */
    public MalformedException wrong(int place, String what) {
        return new MalformedException(offset(place), what);
    }
}
