package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.cluster.RecordedCluster;
import java.io.InputStream;

/**
 * An input stream of watch frames, as from a connection. It creates a few hundred frames at a time in one buffer, right
 * before they are read; the creation is not measured.
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
     * @param cpu the counters of CPU time, which are paused while frames are created
     * @param count the number of frames, after which the stream ends
     */
    FrameStream(RecordedCluster cluster, RecordedCluster.Frames frames, CpuTime cpu, long count) {
        this.frames = frames;
        this.cpu = cpu;
        this.made = new byte[MADE_TOGETHER * cluster.largestFrame()];
        this.left = count;
    }

    /** {@return the number of bytes of all frames created so far} */
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
