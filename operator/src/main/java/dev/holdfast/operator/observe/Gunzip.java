package dev.holdfast.operator.observe;

import dev.holdfast.operator.decode.MalformedException;
import java.io.IOException;
import java.time.Duration;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * What a body holds that was compressed with gzip (RFC 1952), be it in several members one after the other. A member that
 * is cut, that is not what its checksum says, or that is followed by something else than the next is an error, for which
 * the JDK's stream may take the end where little has come.
 */
final class Gunzip extends Answer {
    private static final int MAGIC_1 = 0x1f;
    private static final int MAGIC_2 = 0x8b;
    private static final int DEFLATE = 8;

    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;

    /** What else stands in the head of a member: when and where it was made. */
    private static final int REST_OF_HEAD = 6;

    private final Answer body;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] bytes = new byte[32 << 10];
    private int at;
    private int end;

    /** Where in the body the bytes begin. */
    private long base;

    private boolean within;

    Gunzip(Answer body) {
        this.body = body;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (within || begin()) {
            int some = inflate(into, from, length);
            if (some > 0) {
                checksum.update(into, from, some);
                return some;
            }
            if (inflater.finished()) {
                finish();
            } else if (has()) {
                inflater.setInput(bytes, at, end - at);
                at = end;
            } else {
                throw wrong("the compressed body ends here, too early");
            }
        }
        return -1;
    }

    private int inflate(byte[] into, int from, int length) throws MalformedException {
        try {
            return inflater.inflate(into, from, length);
        } catch (DataFormatException e) {
            throw wrong("the compressed body is damaged before here: " + e.getMessage());
        }
    }

    /** {@return whether there is one more member, of which the head is read} */
    private boolean begin() throws IOException {
        if (!has()) {
            return false;
        }
        if (next() != MAGIC_1 || next() != MAGIC_2 || next() != DEFLATE) {
            throw wrong("what begins before here is not compressed with gzip");
        }
        int flags = next();
        pass(REST_OF_HEAD);
        pass((flags & EXTRA) == 0 ? 0 : number(2));
        passText(flags & NAME);
        passText(flags & COMMENT);
        pass((flags & HEADER_CHECKSUM) == 0 ? 0 : 2);
        inflater.reset();
        checksum.reset();
        within = true;
        return true;
    }

    private void finish() throws IOException {
        at = end - inflater.getRemaining();
        if (number(4) != checksum.getValue() || number(4) != (inflater.getBytesWritten() & 0xffff_ffffL)) {
            throw wrong("the compressed body is damaged before here: its checksum is another");
        }
        within = false;
    }

    private long number(int width) throws IOException {
        long number = 0;
        for (int i = 0; i < width; i++) {
            number |= (long) next() << (Byte.SIZE * i);
        }
        return number;
    }

    private void pass(long count) throws IOException {
        for (long left = count; left > 0; left--) {
            next();
        }
    }

    private void passText(int present) throws IOException {
        while (present != 0 && next() != 0) {
            // To the zero behind it.
        }
    }

    private int next() throws IOException {
        if (!has()) {
            throw wrong("the compressed body ends here, too early");
        }
        return bytes[at++] & 0xff;
    }

    private boolean has() throws IOException {
        if (at < end) {
            return true;
        }
        base += end;
        at = 0;
        end = Math.max(0, body.read(bytes, 0, bytes.length));
        return end > 0;
    }

    private MalformedException wrong(String what) {
        return new MalformedException(base + at, what);
    }

    @Override
    void within(Duration limit) {
        body.within(limit);
    }

    @Override
    void end() {
        body.end();
    }

    @Override
    public void close() {
        inflater.end();
        body.close();
    }
}
