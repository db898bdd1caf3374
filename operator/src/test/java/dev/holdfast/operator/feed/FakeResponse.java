package dev.holdfast.operator.feed;

import dev.holdfast.operator.api.StreamedResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A response body that a {@link FakeApiServer} sends part by part. The client still reads parts sent before the end.
 */
final class FakeResponse extends StreamedResponse {
    private final SimulatedTime time;
    private final Duration patience;
    private final Deque<byte[]> parts = new ArrayDeque<>();
    private int at;
    private boolean ended;
    private Optional<String> broken = Optional.empty();

    FakeResponse(SimulatedTime time, Duration patience) {
        this.time = time;
        this.patience = patience;
    }

    /** Sends these bytes, unless the body is over. */
    void send(byte[] bytes) {
        if (!over() && bytes.length > 0) {
            parts.add(bytes);
        }
    }

    /** Breaks the connection. */
    void breaks(String why) {
        if (!over()) {
            broken = Optional.of(why);
        }
    }

    /** {@return whether the body has ended or its connection is broken} */
    boolean over() {
        return ended || broken.isPresent();
    }

    private boolean readable() {
        return !parts.isEmpty() || over();
    }

    @Override
    public void within(Duration limit) {
        // No limit is needed: a part arrives at once, or it never arrives and the patience ends the read.
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        awaitSomething();
        if (parts.isEmpty()) {
            if (broken.isPresent()) {
                throw new IOException("the connection broke: " + broken.get());
            }
            return -1;
        }
        byte[] first = parts.getFirst();
        int some = Math.min(length, first.length - at);
        System.arraycopy(first, at, into, from, some);
        at += some;
        if (at == first.length) {
            parts.removeFirst();
            at = 0;
        }
        return some;
    }

    private void awaitSomething() throws IOException {
        try {
            if (!readable() && !time.await(this::readable, patience)) {
                throw new IOException("no data for " + patience.toSeconds() + " s");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the feed is being closed");
        }
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public void close() {
        ended = true;
    }
}
