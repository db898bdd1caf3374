package dev.holdfast.operator.observe;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The body of an answer as a stream. While a part is read the next one is fetched, and no more than that: who reads slowly
 * lets the server wait.
 */
final class Body extends Answer implements AsyncBody.Consumer<List<ByteBuffer>> {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private Duration patience;
    private final BlockingQueue<Part> parts = new LinkedBlockingQueue<>();
    private final Deque<ByteBuffer> left = new ArrayDeque<>();
    private ByteBuffer current = NOTHING;
    private Optional<AsyncBody> source = Optional.empty();
    private boolean ended;

    /** Whether a part was asked for and has not come yet: until then somebody else reads the connection. */
    private boolean asked;

    private boolean closed;

    private sealed interface Part {
        record Bytes(List<ByteBuffer> bytes) implements Part {}

        record End() implements Part {}

        record Broken(Throwable why) implements Part {}
    }

    /** @param patience how long nothing may come */
    Body(Duration patience) {
        this.patience = patience;
    }

    /** Says how long nothing may come from now on. */
    void patience(Duration longest) {
        patience = longest;
    }

    /** Begins to fetch. */
    void from(AsyncBody body) {
        source = Optional.of(body);
        synchronized (this) {
            asked = true;
        }
        CompletableFuture<Void> _ = body.done()
                .whenComplete((_, failure) -> finished(failure == null ? new Part.End() : new Part.Broken(failure)));
        body.consume();
    }

    @Override
    public void consume(List<ByteBuffer> bytes, AsyncBody body) {
        synchronized (this) {
            asked = false;
            if (closed) {
                cancel();
            }
        }
        parts.add(new Part.Bytes(bytes));
    }

    @Override
    public int read() throws IOException {
        return fill() ? current.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int some = Math.min(length, current.remaining());
        current.get(into, from, some);
        return some;
    }

    /** {@return whether there is a byte to read; false at the end} */
    private boolean fill() throws IOException {
        while (!current.hasRemaining()) {
            if (!left.isEmpty()) {
                current = left.remove();
            } else if (ended) {
                return false;
            } else {
                take();
            }
        }
        return true;
    }

    private void take() throws IOException {
        switch (next()) {
            case Part.Bytes(List<ByteBuffer> bytes) -> {
                left.addAll(bytes);
                ask();
            }
            case Part.End() -> ended = true;
            case Part.Broken(Throwable why) -> {
                ended = true;
                throw new IOException("the connection broke: " + why, why);
            }
        }
    }

    private void finished(Part last) {
        synchronized (this) {
            asked = false;
        }
        parts.add(last);
    }

    private synchronized void ask() {
        if (!closed) {
            asked = true;
            source.ifPresent(AsyncBody::consume);
        }
    }

    private Part next() throws IOException {
        try {
            return Optional.ofNullable(parts.poll(patience.toMillis(), TimeUnit.MILLISECONDS))
                    .orElseThrow(() -> new IOException("nothing came for " + patience.toSeconds() + " s"));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the feed is being closed");
        }
    }

    @Override
    void end() {
        parts.add(new Part.End());
        close();
    }

    /**
     * Gives the connection up. While a part of it is being read that cannot be done, and is when the part has come; if none
     * does, the connection is closed by its own timeout.
     */
    @Override
    public synchronized void close() {
        if (!closed && !asked) {
            cancel();
        }
        closed = true;
    }

    private void cancel() {
        try {
            source.ifPresent(AsyncBody::cancel);
        } catch (RejectedExecutionException _) {
            // The client was closed before, and all its bodies with it.
        }
    }
}
