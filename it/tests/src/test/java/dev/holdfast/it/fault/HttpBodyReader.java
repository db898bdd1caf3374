package dev.holdfast.it.fault;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * The body of an HTTP/1.1 message as a stream. The stream ends with the body, and fails if the connection breaks in the
 * middle.
 */
final class HttpBodyReader {
    private HttpBodyReader() {}

    static InputStream of(HttpHead httpHead, InputStream from) {
        if (httpHead.header("Transfer-Encoding").toLowerCase(Locale.ROOT).equals("chunked")) {
            return new Chunked(from);
        }
        String length = httpHead.header("Content-Length");
        if (!length.isEmpty()) {
            return new Counted(from, Long.parseLong(length));
        }
        boolean request = !httpHead.start().startsWith("HTTP/");
        return request || httpHead.status() == 204 || httpHead.status() == 304 ? InputStream.nullInputStream() : from;
    }

    private abstract static class Parts extends InputStream {
        final InputStream from;
        long left;

        Parts(InputStream from) {
            this.from = from;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            if (length == 0) {
                // A read of zero bytes must not wait for the next part.
                return 0;
            }
            if (!more()) {
                return -1;
            }
            int some = from.read(into, at, (int) Math.min(length, left));
            if (some < 0) {
                throw new EOFException("the body is cut");
            }
            left -= some;
            return some;
        }

        /** {@return whether the body has more bytes} */
        abstract boolean more() throws IOException;
    }

    private static final class Counted extends Parts {
        Counted(InputStream from, long length) {
            super(from);
            left = length;
        }

        @Override
        boolean more() {
            return left > 0;
        }
    }

    private static final class Chunked extends Parts {
        private boolean begun;
        private boolean ended;

        Chunked(InputStream from) {
            super(from);
        }

        @Override
        boolean more() throws IOException {
            if (left == 0 && !ended) {
                if (begun) {
                    HttpHead.line(from);
                }
                begun = true;
                left = Long.parseLong(HttpHead.line(from), 16);
                ended = left == 0;
            }
            return !ended;
        }
    }
}
