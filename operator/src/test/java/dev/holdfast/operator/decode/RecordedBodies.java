package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;

import java.nio.ByteBuffer;

/** Builder of response bodies in the format of the API server. */
public final class RecordedBodies {
    private RecordedBodies() {}

    public static Message type(String kind) {
        return message().text(1, "v1").text(2, kind);
    }

    /**
     * {@return an envelope: {@code k8s\0}, then a message with the type of the object, the object, and two empty
     * strings}
     */
    public static byte[] envelope(String kind, Message object) {
        return message()
                .raw('k', '8', 's', 0)
                .part(1, type(kind))
                .part(2, object)
                .text(3, "")
                .text(4, "")
                .bytes();
    }

    public static byte[] list(String resourceVersion, Message... items) {
        Message list =
                message().part(1, message().text(1, "").text(2, resourceVersion).text(3, ""));
        for (Message item : items) {
            list.part(2, item);
        }
        return envelope("PodList", list);
    }

    public static byte[] frame(String type, byte[] envelope) {
        return frame(message().text(1, type).part(2, message().bytes(1, envelope)));
    }

    public static byte[] frame(Message event) {
        byte[] bytes = event.bytes();
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    public static byte[] joined(byte[]... parts) {
        Message all = message();
        for (byte[] part : parts) {
            all.raw(part);
        }
        return all.bytes();
    }
}
