package dev.holdfast.operator.decode;

import java.io.InputStream;
import java.util.Objects;

/** A response body that arrives in pieces of limited length. */
public class Trickle extends InputStream {
    private final byte[] bytes;
    private final int piece;
    private int at;

    public Trickle(byte[] bytes, int piece) {
        this.bytes = bytes;
        this.piece = piece;
    }

    @Override
    public int read() {
        return at == bytes.length ? -1 : bytes[at++] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) {
        Objects.checkFromIndexSize(from, length, target.length);
        if (at == bytes.length) {
            return -1;
        }
        int step = Math.min(Math.min(piece, length), bytes.length - at);
        System.arraycopy(bytes, at, target, from, step);
        at += step;
        return step;
    }
}
