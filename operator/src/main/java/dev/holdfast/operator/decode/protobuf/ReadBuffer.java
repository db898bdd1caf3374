package dev.holdfast.operator.decode.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The part of a body that is being read, in one array. It grows to the largest piece that was asked for, and only as its
 * bytes arrive: a length that is a lie takes no more memory than twice what was really sent.
 */
final class ReadBuffer {
    private static final int SMALLEST = 64 << 10;

    private final InputStream body;
    private byte[] bytes = new byte[SMALLEST];
    private int at;
    private int end;

    /** Where in the body the array begins. */
    private long base;

    ReadBuffer(InputStream body) {
        this.body = body;
    }

    /** {@return where in the body the next byte is} */
    long offset() {
        return base + at;
    }

    /** {@return whether the next bytes are there, in one piece; false if the body ends before} */
    boolean has(int wanted) throws IOException {
        while (end - at < wanted) {
            if (wanted > bytes.length - at) {
                makeRoom(wanted);
            }
            int read = body.read(bytes, end, bytes.length - end);
            if (read < 0) {
                return false;
            }
            end += read;
        }
        return true;
    }

    private void makeRoom(int wanted) {
        if (at > 0) {
            System.arraycopy(bytes, at, bytes, 0, end - at);
            base += at;
            end -= at;
            at = 0;
        } else if (end == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(2 * bytes.length, wanted));
        }
    }

    /** {@return the next four bytes, which are there, as a number without a sign, the highest first; not taken} */
    long bigEndian() {
        long number = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            number = number << Byte.SIZE | (bytes[at + i] & 0xff);
        }
        return number;
    }

    /** {@return the next bytes, which are there; good until more is asked for} */
    ByteSlice take(int length) {
        ByteSlice byteSlice = new ByteSlice(bytes, at, at + length, offset());
        at += length;
        return byteSlice;
    }

    /** {@return the next bytes, which are not taken; fewer if the body ends before} */
    ByteSlice peek(int length) throws IOException {
        has(length);
        return new ByteSlice(bytes, at, Math.min(end, at + length), offset());
    }

    /** {@return the next byte} */
    byte next() throws IOException {
        if (!has(1)) {
            throw cut();
        }
        return bytes[at++];
    }

    /** Passes over bytes, however many, without keeping them. */
    void skip(long length) throws IOException {
        for (long left = length; left > 0; ) {
            if (!has(1)) {
                throw cut();
            }
            int step = (int) Math.min(left, end - at);
            at += step;
            left -= step;
        }
    }

    /** {@return the complaint that there should be more} */
    MalformedException cut() {
        return new MalformedException(base + end, "the body ends here, too early");
    }
}
