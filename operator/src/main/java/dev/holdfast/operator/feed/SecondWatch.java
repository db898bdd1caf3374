package dev.holdfast.operator.feed;

import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A watch of one kind that is open for a few seconds, beside that of the feed. It only finds out which versions of the
 * kind exist: it delivers nothing. One thread reads it, others ask for the results.
 */
final class SecondWatch implements AutoCloseable {
    /**
     * The {@code timeoutSeconds} of the request. The API server sends a bookmark between two seconds and half a second
     * before this time is over.
     */
    static final Duration LENGTH = Duration.ofSeconds(3);

    private final StreamedResponse body;
    private final ProtobufKind<?> kind;
    private volatile long covered;
    private volatile long lastChange;

    /** @param from the version from which the watch was opened */
    SecondWatch(StreamedResponse body, ProtobufKind<?> kind, long from) {
        this.body = body;
        this.kind = kind;
        this.covered = from;
        this.lastChange = from;
    }

    /** Reads until the watch ends or {@link #close} is called. */
    void read() {
        try {
            WatchReader frames = new WatchReader(body);
            Optional<WatchFrame> frame = frames.next();
            while (frame.isPresent() && take(frame.get())) {
                frame = frames.next();
            }
        } catch (IOException | RuntimeException _) {
            // What was read before still counts.
        } finally {
            body.close();
        }
    }

    private boolean take(WatchFrame frame) throws IOException {
        switch (frame) {
            case WatchFrame.Changed(var object) -> changed(kind.version(object));
            case WatchFrame.Deleted(var object) -> changed(kind.version(object));
            case WatchFrame.Bookmark(long version) -> covered = Math.max(covered, version);
            case WatchFrame.Failed _ -> {
                return false;
            }
        }
        return true;
    }

    private void changed(long version) {
        // In this order: otherwise another thread could miss a change that is covered.
        lastChange = Math.max(lastChange, version);
        covered = Math.max(covered, version);
    }

    /** {@return the version up to which all changes have been read} */
    long covered() {
        return covered;
    }

    /** {@return the version of the last change that was read; the first version if there was none} */
    long lastChange() {
        return lastChange;
    }

    /** Ends {@link #read}, which then closes the connection. */
    @Override
    public void close() {
        body.end();
    }
}
