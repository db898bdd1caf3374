package dev.holdfast.operator.decode.protobuf;

/** Receives the items of a list as they arrive. */
@FunctionalInterface
public interface ItemSink {
    /**
     * Receives the next item.
     *
     * @param item the bytes of the item, valid until this method returns
     * @throws MalformedException if the item cannot be decoded, which aborts the list
     */
    void item(ByteSlice item) throws MalformedException;
}
