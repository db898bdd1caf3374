package dev.holdfast.operator.decode.protobuf;

/** Takes the items of a list as they arrive. */
@FunctionalInterface
public interface ItemSink {
    /**
     * Takes the next item.
     *
     * @param item good until this returns
     * @throws MalformedException if it is not what it should be, which ends the reading
     */
    void item(ByteSlice item) throws MalformedException;
}
