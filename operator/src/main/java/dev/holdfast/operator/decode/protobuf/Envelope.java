package dev.holdfast.operator.decode.protobuf;

import java.util.Arrays;

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
    static void check(ByteSlice body) throws MalformedException {
        if (!begins(body.buffer(), body.from(), body.to())) {
            throw new MalformedException(
                    body.offset(), "this is no protobuf of an API server, it begins with \"" + body.beginning() + "\"");
        }
    }

    private static boolean begins(byte[] bytes, int from, int to) {
        return to - from >= MAGIC_LENGTH && Arrays.equals(bytes, from, from + MAGIC_LENGTH, MAGIC, 0, MAGIC_LENGTH);
    }

    /** {@return the object in an envelope that is all there} */
    static ByteSlice open(ByteSlice envelope) throws MalformedException {
        return open(envelope, envelope.from(), envelope.to(), new ProtoReader());
    }

    /**
     * {@return the object in an envelope, by a reader that has done what it had to} For each change of a watch: no region is
     * made of the envelope.
     *
     * @param around in which the envelope lies between two places
     */
    static ByteSlice open(ByteSlice around, int from, int to, ProtoReader reader) throws MalformedException {
        if (!begins(around.buffer(), from, to)) {
            check(around.part(from, to));
        }
        int start = from + MAGIC_LENGTH;
        reader.open(around.buffer(), start, to, around.offset() + start - around.from());
        boolean found = false;
        int objectFrom = 0;
        int objectTo = 0;
        while (reader.next()) {
            if (reader.field() == RAW) {
                found = true;
                objectFrom = reader.value();
                objectTo = reader.position();
            } else {
                reader.skip();
            }
        }
        if (!found) {
            throw new MalformedException(around.part(from, to).offset(), "the envelope is empty");
        }
        return around.part(objectFrom, objectTo);
    }

    /**
     * {@return the object in an envelope that is all there and says of which kind it is} An error that is told with the
     * status 200 would else be taken for an object.
     *
     * @throws MalformedException if it is of another kind, or does not say of which
     */
    static ByteSlice open(ByteSlice envelope, String kind) throws MalformedException {
        ByteSlice object = open(envelope);
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
                kind = reader.byteSlice().beginning();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return kind;
    }
}
