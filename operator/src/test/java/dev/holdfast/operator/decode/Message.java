package dev.holdfast.operator.decode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Builder of a protobuf message, field by field. */
public final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public static Message message() {
        return new Message();
    }

    public Message text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    public Message part(int field, Message value) {
        return bytes(field, value.bytes());
    }

    public Message bytes(int field, byte[] value) {
        varint(((long) field << 3) | 2);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    public Message number(int field, long value) {
        varint((long) field << 3);
        varint(value);
        return this;
    }

    public Message entry(int field, String key, String value) {
        return part(field, message().text(1, key).text(2, value));
    }

    public Message varint(long value) {
        long left = value;
        for (; (left & ~0x7fL) != 0; left >>>= 7) {
            bytes.write(((int) left & 0x7f) | 0x80);
        }
        bytes.write((int) left);
        return this;
    }

    public Message raw(int... values) {
        for (int value : values) {
            bytes.write(value);
        }
        return this;
    }

    public Message raw(byte[] values) {
        bytes.writeBytes(values);
        return this;
    }

    public byte[] bytes() {
        return bytes.toByteArray();
    }
}
