package dev.holdfast.operator.decode.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cursor over the fields of a protobuf message. {@link #next} moves to the next field. Then one call must read or skip
 * that field.
 *
 * <p>Nested messages are read in place, between {@link #enter} and {@link #leave}. A length that exceeds the enclosing
 * message is an error. So is a protobuf group, which Kubernetes never writes.
 */
public final class ProtoReader {
    /** The maximum length of a text. */
    static final int MOST_BYTES = 1 << 10;

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

    /** The difference between an index in the array and the offset of that byte in the response body. */
    private long base;

    private int field;
    private int fieldStart;
    private int wireType;

    /** Moves the cursor to the start of a message. */
    public void open(ByteSlice message) {
        open(message.buffer(), message.from(), message.to(), message.offset());
    }

    /**
     * Moves the cursor to the start of a message.
     *
     * @param offset the offset of the message in the response body
     */
    void open(byte[] buffer, int from, int to, long offset) {
        bytes = buffer;
        at = from;
        end = to;
        depth = 0;
        base = offset - from;
    }

    /** Moves the cursor to the next field of this message, and returns true; returns false if there is none. */
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

    /** {@return the number of the current field} */
    public int field() {
        return field;
    }

    /** {@return the index in the array where the tag of the current field begins} */
    public int fieldStart() {
        return fieldStart;
    }

    /** {@return the index in the array after the current field, once that field is read} */
    public int position() {
        return at;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** {@return the offset in the response body of the byte at this index in the array} */
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

    /**
     * Reads the current field as bytes, and returns the index in the array where they begin; they end at {@link
     * #position}.
     */
    public int value() throws MalformedException {
        expect(LENGTH);
        int length = length();
        int from = at;
        at += length;
        return from;
    }

    /** Reads the current field as bytes, and returns them without a copy. */
    public ByteSlice byteSlice() throws MalformedException {
        int from = value();
        return new ByteSlice(bytes, from, at, offset(from));
    }

    /** Reads the current field, and returns whether its bytes equal those of a text. */
    public boolean is(byte[] text) throws MalformedException {
        return is(value(), text);
    }

    /** {@return whether the bytes of the field just read, which begin at index {@code from}, equal those of a text} */
    public boolean is(int from, byte[] text) {
        return Arrays.equals(bytes, from, at, text, 0, text.length);
    }

    /**
     * Reads the current field as text; invalid UTF-8 becomes U+FFFD, as in JSON. Leaves out what comes after the first
     * {@value #MOST_BYTES} bytes. No valid name, key or label value is as long, so a longer text equals none of them.
     *
     * <p>Invalid UTF-8 is no error. Otherwise a user who may create pods could stop the feed with an invalid owner
     * name.
     */
    public String string() throws MalformedException {
        return string(MOST_BYTES);
    }

    /** Reads the current field as text, as {@link #string()}, and leaves out what comes after this many bytes. */
    public String string(int most) throws MalformedException {
        int from = value();
        return new String(bytes, from, Math.min(at - from, most), StandardCharsets.UTF_8);
    }

    /** Reads the current field as a resourceVersion, which Kubernetes 1.35 and later define as a growing number. */
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

    /** Enters the nested message in the current field. Returns the end of the enclosing message, for {@link #leave}. */
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

    /**
     * Moves the cursor behind the nested message, into the enclosing one.
     *
     * @param outer the value that {@link #enter} returned
     */
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
                throw wrong(at, "the message ends in the middle of a number");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0 && (shift < 63 || next <= 1)) {
                return value;
            }
        }
        throw wrong(start, "a number has more than 64 bits");
    }

    /** {@return an exception about the byte at this index in the array} */
    public MalformedException wrong(int place, String what) {
        return new MalformedException(offset(place), what);
    }
}
