package dev.holdfast.operator.decode.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Buffer for the part of a response body that is being read. The buffer grows to the size of the largest piece that is
 * requested, but only as the bytes arrive. So a false length in the body costs at most twice the memory of the bytes
 * that were really sent.
 */
final class ReadBuffer {
    private static final int SMALLEST = 64 << 10;

    private final InputStream body;
    private byte[] bytes = new byte[SMALLEST];
    private int at;
    private int end;

    /** The offset in the response body of the array's first byte. */
    private long base;

    ReadBuffer(InputStream body) {
        this.body = body;
    }

    /** {@return the offset of the next byte in the response body} */
    long offset() {
        return base + at;
    }

    /**
     * Reads until at least this many bytes lie in the buffer, and returns true. Returns false if the body ends before
     * that.
     */
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

    /** {@return the next four bytes as an unsigned big-endian number, without taking them; they must be buffered} */
    long bigEndian() {
        long number = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            number = number << Byte.SIZE | (bytes[at + i] & 0xff);
        }
        return number;
    }

    /**
     * Takes the next bytes, which must be buffered, and returns them. The bytes are valid until the next call of {@link
     * #has}.
     */
    ByteSlice take(int length) {
        ByteSlice byteSlice = new ByteSlice(bytes, at, at + length, offset());
        at += length;
        return byteSlice;
    }

    /** Buffers the next bytes, and returns them without taking them; fewer if the body ends before. */
    ByteSlice peek(int length) throws IOException {
        has(length);
        return new ByteSlice(bytes, at, Math.min(end, at + length), offset());
    }

    /** Takes the next byte, and returns it. */
    byte next() throws IOException {
        if (!has(1)) {
            throw cut();
        }
        return bytes[at++];
    }

    /** Skips any number of bytes without buffering them all. */
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

    /** {@return the exception for a body that ends too early} */
    MalformedException cut() {
        return new MalformedException(base + end, "the body ends too early");
    }
}
