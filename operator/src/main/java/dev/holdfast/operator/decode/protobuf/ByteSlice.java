package dev.holdfast.operator.decode.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A range of bytes in a read buffer, for example those of one object. The bytes are not copied, so a slice is valid
 * only until the next object is read.
 */
public final class ByteSlice {
    /** The maximum number of bytes that {@link #beginning} shows. */
    static final int BEGINNING = 40;

    private final byte[] buffer;
    private final int from;
    private final int to;
    private final long offset;

    public ByteSlice(byte[] buffer, int from, int to, long offset) {
        this.buffer = buffer;
        this.from = from;
        this.to = to;
        this.offset = offset;
    }

    /** A slice of a whole array, which holds a whole response body. */
    public ByteSlice(byte[] bytes) {
        this(bytes, 0, bytes.length, 0);
    }

    /** {@return the array that contains these bytes, not copied} */
    public byte[] buffer() {
        return buffer;
    }

    /** {@return the index in {@link #buffer} of the first byte of this slice} */
    public int from() {
        return from;
    }

    /** {@return the index in {@link #buffer} after the last byte of this slice} */
    public int to() {
        return to;
    }

    /** {@return the offset in the response body, from 0, of the first byte of this slice} */
    public long offset() {
        return offset;
    }

    /** {@return the part of this slice between two indexes of the array} */
    ByteSlice part(int partFrom, int partTo) {
        return new ByteSlice(buffer, partFrom, partTo, offset + partFrom - from);
    }

    /** {@return the bytes as text; invalid UTF-8 becomes U+FFFD} */
    public String text() {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** {@return whether the bytes of this slice equal the bytes of a text} */
    boolean is(byte[] text) {
        return Arrays.equals(buffer, from, to, text, 0, text.length);
    }

    int length() {
        return to - from;
    }

    /** {@return the first 40 bytes as ASCII, with a dot for each byte that cannot be printed} */
    public String beginning() {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < Math.min(to, from + BEGINNING); i++) {
            text.append(buffer[i] >= ' ' && buffer[i] < 0x7f ? (char) buffer[i] : '.');
        }
        return text.toString();
    }
}
