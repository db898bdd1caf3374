package dev.holdfast.operator.decode.protobuf;

/**
 * Decodes the bytes of an API object into a model record. A decoder reuses equal values from caches of a fixed size, so
 * it is not thread-safe.
 *
 * @param <T> the model record, for example {@code Pod}
 */
@FunctionalInterface
public interface ObjectDecoder<T> {
    /**
     * {@return the record decoded from the object, which keeps no reference to the bytes}
     *
     * @throws MalformedException if the bytes are not an object of the decoder's kind, or lack a required field such as
     *     the name
     */
    T decode(ByteSlice object) throws MalformedException;

    /**
     * {@return the record decoded from the object}
     *
     * @param known the ids of objects decoded before, whose strings are reused; the default implementation ignores them
     */
    default T decode(ByteSlice object, KnownIds known) throws MalformedException {
        return decode(object);
    }
}
