package dev.holdfast.operator.decode.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of one object where they were read, not copied: they stand there until the next object is read. */
public final class ByteSlice {
    /** How many bytes of a region {@link #beginning} shows at most. */
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

    /** All of an array, which is the whole body. */
    public ByteSlice(byte[] bytes) {
        this(bytes, 0, bytes.length, 0);
    }

    /** {@return the array in which the object lies, among other things} */
    public byte[] buffer() {
        return buffer;
    }

    /** {@return where in the array the object begins} */
    public int from() {
        return from;
    }

    /** {@return where in the array the object has ended} */
    public int to() {
        return to;
    }

    /** {@return where in the body the object begins} */
    public long offset() {
        return offset;
    }

    /** {@return what lies between two places in the array} */
    ByteSlice part(int partFrom, int partTo) {
        return new ByteSlice(buffer, partFrom, partTo, offset + partFrom - from);
    }

    /** {@return all of it as text; bytes that are no UTF-8 become U+FFFD} */
    public String text() {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** {@return whether it is this text} */
    boolean is(byte[] text) {
        return Arrays.equals(buffer, from, to, text, 0, text.length);
    }

    int length() {
        return to - from;
    }

    /** {@return its beginning, those that cannot be printed as dots} */
    public String beginning() {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < Math.min(to, from + BEGINNING); i++) {
            text.append(buffer[i] >= ' ' && buffer[i] < 0x7f ? (char) buffer[i] : '.');
        }
        return text.toString();
    }
}
