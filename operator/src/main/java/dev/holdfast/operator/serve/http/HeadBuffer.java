package dev.holdfast.operator.serve.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The received bytes of a connection that are not processed yet: at most one head of a request of 8 KiB. Requests that
 * a client sends ahead are read one after the other.
 */
public final class HeadBuffer {
    /** The maximum number of bytes of the head of a request. */
    public static final int MOST_BYTES = 8 << 10;

    private static final int FIRST_BYTES = 1 << 10;
    private static final int TOO_LARGE = 431;

    /** The maximum number of bytes of the end of a head that may arrive before its last byte. */
    private static final int LONGEST_BEGUN_END = 2;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    /** The index up to which no head ends. */
    private int searched;

    /** {@return whether no byte of a request is there} */
    public boolean isEmpty() {
        return length == 0;
    }

    /**
     * Waits for further bytes. Must not be called before {@link #next} was, which makes room.
     *
     * @return whether there were any; otherwise the client has ended the stream
     */
    public boolean fill(InputStream client) throws IOException {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(2 * length, MOST_BYTES));
        }
        int count = client.read(bytes, length, bytes.length - length);
        length += Math.max(0, count);
        return count > 0;
    }

    /** {@return the next request} The bytes of a complete request are removed from the buffer. */
    public RequestHead next() {
        removeEmptyLines();
        int end = end();
        if (end == 0) {
            searched = Math.max(0, length - LONGEST_BEGUN_END);
            return length < MOST_BYTES
                    ? new RequestHead.Incomplete()
                    : new RequestHead.Refused(
                            TOO_LARGE, "the head of the request is longer than " + MOST_BYTES + " bytes");
        }
        String head = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
        remove(end);
        return HeadParser.parse(head);
    }

    /** Removes empty lines: some clients end a request with one too many (RFC 9112, section 2.2). */
    private void removeEmptyLines() {
        int empty = 0;
        while (empty < length && (bytes[empty] == '\r' || bytes[empty] == '\n')) {
            empty++;
        }
        if (empty > 0) {
            remove(empty);
        }
    }

    /** {@return the number of bytes up to the empty line that ends a head, and with it; 0 if the head is incomplete} */
    private int end() {
        for (int i = searched; i < length - 1; i++) {
            int next = bytes[i + 1] == '\r' ? i + 2 : i + 1;
            if (bytes[i] == '\n' && next < length && bytes[next] == '\n') {
                return next + 1;
            }
        }
        return 0;
    }

    private void remove(int count) {
        length -= count;
        System.arraycopy(bytes, count, bytes, 0, length);
        searched = 0;
    }
}
