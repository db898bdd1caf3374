package dev.holdfast.operator.decode.protobuf;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the body that answers a request for one object: the object in its envelope, which tells its length. A body that ends
 * before is an error, whatever HTTP says of it. For any number of threads, which wait for each other.
 *
 * @param <T> the kind of fact
 */
public final class ObjectReader<T> {
    /** The length of a body above which it is refused; etcd takes objects of 1.5 MiB as it comes. */
    public static final int LARGEST_BODY = 16 << 20;

    private final String kind;
    private final ObjectDecoder<T> decoder;

    /**
     * A reader of one kind.
     *
     * @param kind as the API server calls it: {@code Pod}
     * @param decoder serves this reader alone
     */
    public ObjectReader(String kind, ObjectDecoder<T> decoder) {
        this.kind = kind;
        this.decoder = decoder;
    }

    /**
     * {@return what the object says}
     *
     * @param body is read to its end, and not closed
     * @throws MalformedException if it is no object of the kind, or not a whole one
     * @throws IOException as the body does
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
