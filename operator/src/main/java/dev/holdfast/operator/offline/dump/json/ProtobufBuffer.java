package dev.holdfast.operator.offline.dump.json;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import java.util.Arrays;

/** A protobuf message that is being written. The buffer grows, and is used again for the next message. */
final class ProtobufBuffer {
    private static final int VARINT = 0;
    private static final int LENGTH = 2;

    /** The number of bytes for the length of a nested message, which is known only at the end. */
    private static final int LENGTH_BYTES = 4;

    private static final int MOST_BYTES = 1 << (7 * LENGTH_BYTES);

    private byte[] bytes = new byte[64 << 10];
    private int size;

    void clear() {
        size = 0;
    }

    /** {@return the bytes, valid until the next write} */
    ByteSlice slice() {
        return new ByteSlice(bytes, 0, size, 0);
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    private void varint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    void number(int field, long value) {
        varint(((long) field << 3) | VARINT);
        varint(value);
    }

    /** Begins a nested message or text, and returns its start, for {@link #end}. */
    int begin(int field) {
        varint(((long) field << 3) | LENGTH);
        reserve(LENGTH_BYTES);
        size += LENGTH_BYTES;
        return size;
    }

    /**
     * Ends a nested message or text.
     *
     * @throws IllegalStateException if the part has 256 MiB or more, which no reader of dumps lets through
     */
    void end(int start) {
        int length = size - start;
        if (length >= MOST_BYTES) {
            throw new IllegalStateException("a part of an object has " + length + " bytes");
        }
        for (int i = LENGTH_BYTES; i > 0; i--) {
            boolean isLast = i == 1;
            bytes[start - i] = (byte) ((length & 0x7f) | (isLast ? 0 : 0x80));
            length >>>= 7;
        }
    }

    void text(int field, String text) {
        char[] characters = text.toCharArray();
        text(field, characters, 0, characters.length);
    }

    /** Writes text as UTF-8. An unpaired surrogate becomes a question mark. */
    void text(int field, char[] characters, int from, int length) {
        int start = begin(field);
        reserve(3 * length);
        int to = from + length;
        for (int i = from; i < to; i++) {
            char character = characters[i];
            if (character < 0x80) {
                bytes[size++] = (byte) character;
            } else if (character < 0x800) {
                bytes[size++] = (byte) (0xc0 | (character >> 6));
                bytes[size++] = (byte) (0x80 | (character & 0x3f));
            } else if (!Character.isSurrogate(character)) {
                bytes[size++] = (byte) (0xe0 | (character >> 12));
                bytes[size++] = (byte) (0x80 | ((character >> 6) & 0x3f));
                bytes[size++] = (byte) (0x80 | (character & 0x3f));
            } else if (i + 1 < to && Character.isSurrogatePair(character, characters[i + 1])) {
                codePoint(Character.toCodePoint(character, characters[++i]));
            } else {
                bytes[size++] = '?';
            }
        }
        end(start);
    }

    private void codePoint(int codePoint) {
        bytes[size++] = (byte) (0xf0 | (codePoint >> 18));
        bytes[size++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
        bytes[size++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
        bytes[size++] = (byte) (0x80 | (codePoint & 0x3f));
    }
}
