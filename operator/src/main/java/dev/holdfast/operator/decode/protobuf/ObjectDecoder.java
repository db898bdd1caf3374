package dev.holdfast.operator.decode.protobuf;

/**
 * Makes a fact of an object's bytes. What it has seen before it makes only once, in caches of a fixed size: one decoder
 * serves one thread.
 *
 * @param <T> the kind of fact
 */
@FunctionalInterface
public interface ObjectDecoder<T> {
    /**
     * {@return what the object says; nothing in it refers to the region}
     *
     * @throws MalformedException if the bytes are no such object, or lack what every one has
     */
    T decode(ByteSlice object) throws MalformedException;

    /**
     * {@return the same}
     *
     * @param known knows the ids of objects that were decoded before; who needs none of it asks for none
     */
    default T decode(ByteSlice object, KnownIds known) throws MalformedException {
        return decode(object);
    }
}
