package dev.holdfast.operator.decode.protobuf;

import java.util.Arrays;

/** Collects selected fields of a message, so that the value decoded from all of them can be cached under one key. */
public final class FieldBuffer {
    private static final int USUAL = 8 << 10;

    private byte[] bytes = new byte[USUAL];
    private int length;

    /**
     * Where the collected fields lie in the response body, for error messages. For each run of adjacent fields: its
     * index in this buffer, then its offset in the body.
     */
    private long[] runs = new long[16];

    private int runsLength;
    private long runEnd = -1;

    public void clear() {
        if (bytes.length > USUAL) {
            bytes = new byte[USUAL];
            runs = new long[16];
        }
        length = 0;
        runsLength = 0;
        runEnd = -1;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** Adds the reader's current field, which must be length-delimited. */
    public void add(ProtoReader reader) throws MalformedException {
        reader.value();
        add(reader, reader.fieldStart());
    }

    /**
     * Adds the field that the reader has just read. The tag of the field begins at the index {@code from} of the
     * reader's array.
     */
    public void add(ProtoReader reader, int from) {
        int size = reader.position() - from;
        if (reader.offset(from) != runEnd) {
            run(reader.offset(from));
        }
        runEnd = reader.offset(reader.position());
        makeRoom(size);
        System.arraycopy(reader.bytes(), from, bytes, length, size);
        length += size;
    }

    /** Adds all fields of another buffer. */
    public void addAll(FieldBuffer other) {
        for (int run = 0; run < other.runsLength; run += 2) {
            int from = (int) other.runs[run];
            int to = run + 2 < other.runsLength ? (int) other.runs[run + 2] : other.length;
            run(other.runs[run + 1]);
            makeRoom(to - from);
            System.arraycopy(other.bytes, from, bytes, length, to - from);
            length += to - from;
        }
        runEnd = -1;
    }

    /**
     * Adds an artificial field with the value 0. The artificial field separates the fields before it from those after
     * it, for example the fields of two containers.
     *
     * @param number the number of the artificial field, from 16 to 2047
     */
    public void mark(int number) {
        makeRoom(3);
        bytes[length++] = (byte) (number << 3 | 0x80);
        bytes[length++] = (byte) (number >>> 4);
        bytes[length++] = 0;
        runEnd = -1;
    }

    private void makeRoom(int size) {
        if (size > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + size, 2 * length));
        }
    }

    private void run(long offset) {
        if (runsLength == runs.length) {
            runs = Arrays.copyOf(runs, 2 * runs.length);
        }
        runs[runsLength++] = length;
        runs[runsLength++] = offset;
    }

    /**
     * Returns the value of the collected fields. Decodes the fields only if their value is not in the cache.
     *
     * @throws MalformedException with the offset of the error in the response body
     */
    public <V> V in(ByteKeyedCache<V> byteKeyedCache) throws MalformedException {
        try {
            return byteKeyedCache.of(bytes, 0, length, 0);
        } catch (MalformedException e) {
            throw e.at(inBody(e.offset()));
        }
    }

    private long inBody(long place) {
        int run = 0;
        while (run + 2 < runsLength && runs[run + 2] <= place) {
            run += 2;
        }
        return runs[run + 1] + place - runs[run];
    }
}
