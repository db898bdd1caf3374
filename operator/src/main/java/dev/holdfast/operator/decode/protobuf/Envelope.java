package dev.holdfast.operator.decode.protobuf;

import dev.holdfast.operator.decode.fields.Fields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reader of the envelope in which an API server sends an object: the four bytes {@code k8s} and 0, then a message
 * {@code Unknown} whose field 1 is the type of the object and field 2 the object.
 */
final class Envelope {
    static final int MAGIC_LENGTH = 4;
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private Envelope() {}

    /** Throws if the body does not begin with the magic bytes. The message shows how the body begins. */
    static void check(ByteSlice body) throws MalformedException {
        if (!begins(body.buffer(), body.from(), body.to())) {
            throw new MalformedException(
                    body.offset(),
                    "this is not protobuf of an API server: it begins with \"" + body.beginning() + "\"");
        }
    }

    private static boolean begins(byte[] bytes, int from, int to) {
        return to - from >= MAGIC_LENGTH && Arrays.equals(bytes, from, from + MAGIC_LENGTH, MAGIC, 0, MAGIC_LENGTH);
    }

    /**
     * {@return the bytes of the object in an envelope, after a check that the object is of this kind} Without the
     * check, an error or an object of another kind could be read as the expected one. Each watch event needs this call.
     * The envelope is given by its indexes, which saves the allocation of a slice.
     *
     * @param around a slice whose array contains the envelope
     * @param from the index of the envelope's first byte in that array
     * @param to the index after the envelope's last byte
     * @param reader reused; its state is lost
     * @param kind the expected kind in ASCII
     * @throws MalformedException if the object is of another kind, or the kind is missing
     */
    static ByteSlice open(ByteSlice around, int from, int to, ProtoReader reader, byte[] kind)
            throws MalformedException {
        if (!begins(around.buffer(), from, to)) {
            check(around.part(from, to));
        }
        int start = from + MAGIC_LENGTH;
        reader.open(around.buffer(), start, to, around.offset() + start - around.from());
        boolean found = false;
        boolean ofKind = false;
        int objectFrom = 0;
        int objectTo = 0;
        while (reader.next()) {
            if (reader.field() == Fields.Unknown.RAW) {
                found = true;
                objectFrom = reader.value();
                objectTo = reader.position();
            } else if (reader.field() == Fields.Unknown.TYPE_META) {
                ofKind = isOfKind(around.buffer(), reader, kind);
            } else {
                reader.skip();
            }
        }
        if (!found) {
            throw new MalformedException(around.part(from, to).offset(), "the envelope is empty");
        }
        if (!ofKind) {
            throw otherKind(around.part(from, to), kind);
        }
        return around.part(objectFrom, objectTo);
    }

    /** {@return the bytes of the object in this envelope, after a check that the object is of this kind} */
    static ByteSlice open(ByteSlice envelope, String kind) throws MalformedException {
        return open(
                envelope, envelope.from(), envelope.to(), new ProtoReader(), kind.getBytes(StandardCharsets.US_ASCII));
    }

    private static boolean isOfKind(byte[] buffer, ProtoReader reader, byte[] kind) throws MalformedException {
        boolean is = false;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.TypeMeta.KIND) {
                int from = reader.value();
                is = Arrays.equals(buffer, from, reader.position(), kind, 0, kind.length);
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return is;
    }

    private static MalformedException otherKind(ByteSlice envelope, byte[] kind) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(envelope.buffer(), envelope.from() + MAGIC_LENGTH, envelope.to(), envelope.offset() + MAGIC_LENGTH);
        String found = "";
        while (reader.next()) {
            if (reader.field() == Fields.Unknown.TYPE_META) {
                found = kind(reader);
            } else {
                reader.skip();
            }
        }
        return new MalformedException(
                envelope.offset(),
                "expected a " + new String(kind, StandardCharsets.US_ASCII) + ", but this is of kind \"" + found
                        + "\"");
    }

    private static String kind(ProtoReader reader) throws MalformedException {
        String kind = "";
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.TypeMeta.KIND) {
                kind = reader.byteSlice().beginning();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return kind;
    }
}
