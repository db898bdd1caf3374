package dev.holdfast.operator.decode.protobuf;

/** Cache of repeated strings: keys and values of labels, namespaces, node names, phases. */
public final class StringCache {
    private static final int SLOTS = 16 << 10;
    private static final int BUDGET = 1 << 20;

    private final ByteKeyedCache<String> strings = new ByteKeyedCache<>(SLOTS, BUDGET, ByteSlice::text);

    /**
     * Reads the reader's current field as {@link ProtoReader#string()} does, and returns the cached instance if there
     * is one.
     */
    public String of(ProtoReader reader) throws MalformedException {
        int from = reader.value();
        int to = Math.min(reader.position(), from + ProtoReader.MOST_BYTES);
        return strings.of(reader.bytes(), from, to, reader.offset(from));
    }
}
