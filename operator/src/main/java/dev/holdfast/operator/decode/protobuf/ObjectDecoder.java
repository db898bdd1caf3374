package dev.holdfast.operator.decode.protobuf;

/**
 * Decodes an object's bytes into a fact. A decoder reuses equal values from caches of a fixed size, so it is not
 * thread-safe.
 *
 * @param <T> the kind of fact
 */
@FunctionalInterface
public interface ObjectDecoder<T> {
    /**
     * {@return the fact decoded from the object; it does not refer to the buffer}
     *
     * @throws MalformedException if the bytes are not such an object, or lack a field that every such object has
     */
    T decode(ByteSlice object) throws MalformedException;

    /**
     * {@return the fact decoded from the object}
     *
     * @param known the ids of objects that were decoded before; by default they are not used
     */
    default T decode(ByteSlice object, KnownIds known) throws MalformedException {
        return decode(object);
    }
}
