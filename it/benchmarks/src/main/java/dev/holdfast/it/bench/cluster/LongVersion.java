package dev.holdfast.it.bench.cluster;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Replacement of the {@code resourceVersion} in a protobuf watch frame by a longer one, with new length fields in all
 * messages around it. A new control plane has short versions such as {@code 412}. Counting up from there would soon
 * need another digit, but frames made from a recording must keep their length.
 */
final class LongVersion {
    /**
     * The protobuf field numbers on the way from the watch event to the version: object, its raw bytes (an envelope),
     * the raw bytes in the envelope (the pod), metadata, resourceVersion.
     */
    private static final int[] PATH = {2, 1, 2, 1, 6};

    /**
     * The index in {@link #PATH} at which the message is Kubernetes' envelope: its fields come after four magic bytes.
     */
    private static final int ENVELOPE = 2;

    private static final int MAGIC = 4;
    private static final int LENGTH_TYPE = 2;
    private static final int MORE = 0x80;

    private final byte[] message;
    private final int depth;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private int at;

    private LongVersion(byte[] message, int depth) {
        this.message = message;
        this.depth = depth;
    }

    /**
     * {@return the frame with another {@code resourceVersion}}
     *
     * @param frame the frame with its length prefix
     */
    static byte[] in(byte[] frame, byte[] version) {
        byte[] event = new LongVersion(Arrays.copyOfRange(frame, Integer.BYTES, frame.length), 0).with(version);
        return ByteBuffer.allocate(Integer.BYTES + event.length)
                .putInt(event.length)
                .put(event)
                .array();
    }

    private byte[] with(byte[] version) {
        if (depth == PATH.length) {
            return version;
        }
        copy(depth == ENVELOPE ? MAGIC : 0);
        while (at < message.length) {
            int start = at;
            long tag = varint();
            if ((tag & 7) != LENGTH_TYPE) {
                varint();
                written.write(message, start, at - start);
            } else if (tag >>> 3 == PATH[depth]) {
                written.write(message, start, at - start);
                int length = (int) varint();
                byte[] inner = Arrays.copyOfRange(message, at, at + length);
                at += length;
                byte[] other = new LongVersion(inner, depth + 1).with(version);
                writeVarint(other.length);
                written.writeBytes(other);
            } else {
                int length = (int) varint();
                at += length;
                written.write(message, start, at - start);
            }
        }
        return written.toByteArray();
    }

    private void copy(int length) {
        written.write(message, at, length);
        at += length;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = message[at++];
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private void writeVarint(int value) {
        int left = value;
        for (; left >= MORE; left >>>= 7) {
            written.write((left & 0x7F) | MORE);
        }
        written.write(left);
    }
}
