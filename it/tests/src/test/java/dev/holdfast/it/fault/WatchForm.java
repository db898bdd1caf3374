package dev.holdfast.it.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The encoding of a watch: where its frames end, and the frame with which the API server ends it. */
enum WatchForm {
    /** Each frame is four bytes of length, then a WatchEvent in protobuf. */
    PROTOBUF {
        @Override
        byte[] frame(DataInputStream from) throws IOException {
            int length = from.readInt();
            return ByteBuffer.allocate(4 + length)
                    .putInt(length)
                    .put(from.readNBytes(length))
                    .array();
        }

        @Override
        byte[] error(int code) {
            byte[] status = message(
                    field(2, "Failure".getBytes(UTF_8)), field(3, why(code).getBytes(UTF_8)), number(6, code));
            byte[] typeMeta = message(field(1, "v1".getBytes(UTF_8)), field(2, "Status".getBytes(UTF_8)));
            byte[] object = message("k8s\0".getBytes(UTF_8), field(1, typeMeta), field(2, status));
            byte[] event = message(field(1, "ERROR".getBytes(UTF_8)), field(2, field(1, object)));
            return ByteBuffer.allocate(4 + event.length)
                    .putInt(event.length)
                    .put(event)
                    .array();
        }
    },

    /** Each frame is a WebSocket frame; frames from a server have no mask. */
    WEBSOCKET {
        @Override
        byte[] frame(DataInputStream from) throws IOException {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.write(from.readByte());
            byte first = from.readByte();
            frame.write(first);
            long length = first & 0x7F;
            if (length >= 126) {
                byte[] extended = from.readNBytes(length == 126 ? 2 : 8);
                frame.writeBytes(extended);
                length = 0;
                for (byte digit : extended) {
                    length = (length << 8) | (digit & 0xFF);
                }
            }
            frame.writeBytes(from.readNBytes(Math.toIntExact(length)));
            return frame.toByteArray();
        }

        @Override
        byte[] error(int code) {
            byte[] event = ("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                            + "\"status\":\"Failure\",\"message\":\"" + why(code) + "\",\"code\":" + code + "}}")
                    .getBytes(UTF_8);
            return ByteBuffer.allocate(4 + event.length)
                    .put((byte) 0x81)
                    .put((byte) 126)
                    .putShort((short) event.length)
                    .put(event)
                    .array();
        }
    };

    /** Reads the next complete frame and returns its bytes. */
    abstract byte[] frame(DataInputStream from) throws IOException;

    /** {@return a frame that ends the watch with an error code} */
    abstract byte[] error(int code);

    private static String why(int code) {
        return code == 410 ? "too old resource version: 1 (2)" : "it went wrong";
    }

    private static byte[] field(int number, byte[] content) {
        return message(varint(((long) number << 3) | 2), varint(content.length), content);
    }

    private static byte[] number(int number, long value) {
        return message(varint((long) number << 3), varint(value));
    }

    private static byte[] varint(long value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (long left = value; ; left >>>= 7) {
            if (left < 0x80) {
                bytes.write((int) left);
                return bytes.toByteArray();
            }
            bytes.write((int) ((left & 0x7F) | 0x80));
        }
    }

    private static byte[] message(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
