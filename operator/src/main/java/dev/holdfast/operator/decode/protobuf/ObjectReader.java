package dev.holdfast.operator.decode.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

/**
 * Reads one object from the response body of a GET. The object's envelope states the length of the object: a shorter
 * body is an error, even if HTTP reports the response as complete. Thread-safe: objects are decoded one after the
 * other.
 *
 * @param <T> the model record, for example {@code Pod}
 */
public final class ObjectReader<T> {
    /** The longest accepted body in bytes; etcd accepts objects of 1.5 MiB by default. */
    public static final int LARGEST_BODY = 16 << 20;

    private final String kind;
    private final ObjectDecoder<T> decoder;

    /**
     * A reader of objects of one kind.
     *
     * @param kind the {@code kind} of the objects, for example {@code Pod}
     * @param decoder makes the decoder, which this reader does not share
     */
    public ObjectReader(String kind, Supplier<? extends ObjectDecoder<T>> decoder) {
        this.kind = kind;
        this.decoder = decoder.get();
    }

    /**
     * Reads the body and returns the record decoded from the object.
     *
     * @param body read to its end, and not closed
     * @throws MalformedException if the body is not a whole object of the kind
     * @throws IOException if reading the body fails
     */
    public T read(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(LARGEST_BODY + 1);
        if (bytes.length > LARGEST_BODY) {
            throw new MalformedException(LARGEST_BODY, "an object of more than " + LARGEST_BODY + " bytes");
        }
        ByteSlice object = Envelope.open(new ByteSlice(bytes), kind);
        synchronized (decoder) {
            return decoder.decode(object);
        }
    }
}
