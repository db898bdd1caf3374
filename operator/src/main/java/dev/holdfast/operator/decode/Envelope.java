package dev.holdfast.operator.decode;

/**
 * What an API server wraps an object in: the four bytes {@code k8s} and 0, then a message {@code Unknown} whose field 2
 * is the object and field 1 says of what kind it is.
 */
final class Envelope {
    static final int MAGIC_LENGTH = 4;
    static final int TYPE = 1;
    static final int RAW = 2;

    /** Of the type. */
    static final int KIND = 2;

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private Envelope() {}

    /** Refuses what does not begin as an envelope does, and tells how it begins instead. */
    static void check(Region body) throws MalformedException {
        for (int i = 0; i < MAGIC_LENGTH; i++) {
            if (i >= body.length() || body.buffer()[body.from() + i] != MAGIC[i]) {
                throw new MalformedException(
                        body.offset(),
                        "this is no protobuf of an API server, it begins with \"" + body.beginning() + "\"");
            }
        }
    }

    /** {@return the object in an envelope that is all there} */
    static Region open(Region envelope) throws MalformedException {
        return open(envelope, new ProtoReader());
    }

    /** {@return the same, by a reader that has done what it had to} */
    static Region open(Region envelope, ProtoReader reader) throws MalformedException {
        check(envelope);
        reader.open(envelope.buffer(), envelope.from() + MAGIC_LENGTH, envelope.to(), envelope.offset() + MAGIC_LENGTH);
        boolean found = false;
        int from = 0;
        int to = 0;
        while (reader.next()) {
            if (reader.field() == RAW) {
                found = true;
                from = reader.value();
                to = reader.position();
            } else {
                reader.skip();
            }
        }
        if (!found) {
            throw new MalformedException(envelope.offset(), "the envelope is empty");
        }
        return envelope.part(from, to);
    }

    /**
     * {@return the object in an envelope that is all there and says of which kind it is} An error that is told with the
     * status 200 would else be taken for an object.
     *
     * @throws MalformedException if it is of another kind, or does not say of which
     */
    static Region open(Region envelope, String kind) throws MalformedException {
        Region object = open(envelope);
        ProtoReader reader = new ProtoReader();
        reader.open(envelope.buffer(), envelope.from() + MAGIC_LENGTH, envelope.to(), envelope.offset() + MAGIC_LENGTH);
        String found = "";
        while (reader.next()) {
            if (reader.field() == TYPE) {
                found = kind(reader);
            } else {
                reader.skip();
            }
        }
        if (!found.equals(kind)) {
            throw new MalformedException(
                    envelope.offset(), "a " + kind + " is expected, and this is of the kind \"" + found + "\"");
        }
        return object;
    }

    private static String kind(ProtoReader reader) throws MalformedException {
        String kind = "";
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == KIND) {
                kind = reader.region().beginning();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return kind;
    }
}
