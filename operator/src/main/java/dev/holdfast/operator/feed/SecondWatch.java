package dev.holdfast.operator.feed;

import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.VersionDecoder;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A watch of one kind that is open for a few seconds, beside that of the feed. The second watch only shows which
 * versions of the kind exist: it reads the resourceVersion of each object, and delivers nothing. One thread reads the
 * watch, others ask for the results.
 */
final class SecondWatch implements AutoCloseable {
    /**
     * The {@code timeoutSeconds} of the request. The API server sends a bookmark between two seconds and half a second
     * before this time is over.
     */
    static final Duration LENGTH = Duration.ofSeconds(3);

    private final StreamedResponse body;
    private final String kind;
    private volatile long covered;
    private volatile long lastChange;
    private volatile Optional<String> contradiction = Optional.empty();
    private volatile Optional<String> end = Optional.empty();

    /**
     * An open watch that is not read yet.
     *
     * @param kind the {@code kind} of the watched objects
     * @param from the version from which the watch was opened
     */
    SecondWatch(StreamedResponse body, String kind, long from) {
        this.body = body;
        this.kind = kind;
        this.covered = from;
        this.lastChange = from;
    }

    /** Reads until the watch ends, cannot be read, or {@link #close} is called. */
    void read() {
        VersionDecoder versions = new VersionDecoder();
        String why = "it ended";
        try {
            WatchReader frames = new WatchReader(body, kind);
            Optional<WatchFrame> frame = frames.next();
            while (frame.isPresent() && !(frame.get() instanceof WatchFrame.Failed)) {
                take(frame.get(), versions);
                frame = frames.next();
            }
            why = frame.map(failed -> "it ended with " + failed).orElse(why);
        } catch (MalformedException e) {
            contradiction = Optional.of(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // What was read before still counts.
            why = String.valueOf(e.getMessage());
        } finally {
            end = Optional.of(why);
            body.close();
        }
    }

    private void take(WatchFrame frame, VersionDecoder versions) throws MalformedException {
        switch (frame) {
            case WatchFrame.Changed(var object) -> changed(version(object, versions));
            case WatchFrame.Deleted(var object) -> changed(version(object, versions));
            case WatchFrame.Bookmark(long version) -> covered = Math.max(covered, version);
            case WatchFrame.Failed _ -> {
                // It ends the watch.
            }
        }
    }

    /**
     * {@return the version of a changed object}
     *
     * @throws MalformedException if the version is not newer than the versions that the watch covers: the object is
     *     another one, or the API server's state went back
     */
    private long version(ByteSlice object, VersionDecoder versions) throws MalformedException {
        long version = versions.decode(object);
        if (version < covered) {
            throw new MalformedException(
                    object.offset(), "a change of version " + version + " after all changes up to " + covered);
        }
        return version;
    }

    private void changed(long version) {
        // In this order: otherwise another thread could miss a change that is covered.
        lastChange = version;
        covered = version;
    }

    /** {@return the version up to which all changes have been read} */
    long covered() {
        return covered;
    }

    /** {@return the version of the last change that was read; the first version if there was none} */
    long lastChange() {
        return lastChange;
    }

    /**
     * {@return what the watch has sent that contradicts its kind or its version; empty if there is no contradiction}
     * After a contradiction, nothing that was read before counts.
     */
    Optional<String> contradiction() {
        return contradiction;
    }

    /** {@return why the watch has ended, so that it will show nothing more; empty while it is read} */
    Optional<String> end() {
        return end;
    }

    /** Ends {@link #read}, which then closes the connection. */
    @Override
    public void close() {
        body.end();
    }
}
