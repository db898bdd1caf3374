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
    /** How many bytes the head of a request has at most. */
    public static final int MOST_BYTES = 8 << 10;

    private static final int FIRST_BYTES = 1 << 10;
    private static final int TOO_LARGE = 431;

    /** How many bytes of the end of a head may be there already before its last byte arrives. */
    private static final int LONGEST_BEGUN_END = 2;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    /** Up to here no head ends. */
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

    /** {@return the next request} Its bytes are removed if it is complete. */
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

    /** Some clients end a request with an empty line too many (RFC 9112, section 2.2). */
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
