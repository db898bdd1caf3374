package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.cluster.RecordedCluster;
import java.io.InputStream;

/**
 * A stream of watch frames, as if read from a connection. A few hundred frames at a time are created in the same buffer
 * right before they are read; their creation is neither timed nor counted.
 */
final class FrameStream extends InputStream {
    private static final int MADE_TOGETHER = 256;

    private final RecordedCluster.Frames frames;
    private final CpuTime cpu;
    private final byte[] made;
    private long left;
    private long bytes;
    private int at;
    private int end;

    /**
     * @param cpu is paused while frames are created
     * @param count of frames
     */
    FrameStream(RecordedCluster cluster, RecordedCluster.Frames frames, CpuTime cpu, long count) {
        this.frames = frames;
        this.cpu = cpu;
        this.made = new byte[MADE_TOGETHER * cluster.largestFrame()];
        this.left = count;
    }

    /** {@return how many bytes were created} */
    long bytes() {
        return bytes;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (at == end && left > 0) {
            cpu.pause();
            make();
            cpu.resume();
        }
        if (at == end) {
            return -1;
        }
        int read = Math.min(length, end - at);
        System.arraycopy(made, at, into, offset, read);
        at += read;
        return read;
    }

    private void make() {
        at = 0;
        end = 0;
        for (int i = 0; i < MADE_TOGETHER && left > 0; i++, left--) {
            end += frames.next(made, end);
        }
        bytes += end;
    }
}
