package dev.holdfast.operator.offline.dump.text;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Arrays;

/** Remembers the last bytes that were read, for messages that quote a line. */
final class RecentBytes extends FilterInputStream {
    /** More than a parser reads in advance, together with a line. */
    private static final int MOST = 1 << 16;

    private final byte[] ring = new byte[MOST];
    private long total;

    RecentBytes(InputStream content) {
        super(content);
    }

    /** {@return how many bytes were read} */
    long total() {
        return total;
    }

    /** {@return the last bytes as text} */
    String recent(Charset charset) {
        return new String(bytes(), charset);
    }

    private byte[] bytes() {
        int end = (int) (total % MOST);
        if (total < MOST) {
            return Arrays.copyOf(ring, end);
        }
        byte[] inOrder = new byte[MOST];
        System.arraycopy(ring, end, inOrder, 0, MOST - end);
        System.arraycopy(ring, 0, inOrder, MOST - end, end);
        return inOrder;
    }

    /**
     * {@return the line that has a byte, without its line break; what was forgotten or not yet read is missing}
     *
     * @param at the number of the byte, from 0
     * @param width the number of bytes of a character in ASCII
     */
    String line(long at, Charset charset, int width) {
        byte[] bytes = bytes();
        String before = new String(bytes, 0, place(at, bytes.length, width), charset);
        int start = before.lastIndexOf('\n') + 1;
        String all = recent(charset);
        int end = all.indexOf('\n', Math.max(start, before.length()));
        return all.substring(start, end < 0 ? all.length() : end).strip();
    }

    private int place(long at, int length, int width) {
        long place = Math.clamp(at - (total - length), 0, length);
        return (int) (place - place % width);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int start, int length) throws IOException {
        int read = super.read(buffer, start, length);
        for (int done = Math.max(0, read - MOST); done < read; ) {
            int to = (int) ((total + done) % MOST);
            int copied = Math.min(read - done, MOST - to);
            System.arraycopy(buffer, start + done, ring, to, copied);
            done += copied;
        }
        total += Math.max(0, read);
        return read;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
