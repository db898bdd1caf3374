package dev.holdfast.operator.feed;

import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.decode.protobuf.ListMetadata;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.policies.engine.protocol.OwnerThread;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Lists and watches one kind as protobuf: one consistent list of all objects, and a watch from the list's version.
 * Decodes only the fields that Holdfast needs, while the bytes arrive.
 *
 * <p>The list is not paged: pages cost the API server several times as much, and since Kubernetes 1.33 the API server
 * streams a list.
 */
final class ProtobufListWatch implements ListWatch {
    private static final String LIST = "application/vnd.kubernetes.protobuf";
    private static final String WATCH = "application/vnd.kubernetes.protobuf;stream=watch";

    /**
     * The longest wait for the first bytes of a list, and then for further bytes. The API server computes the size of
     * the whole list before it sends the first byte.
     */
    private static final Duration STALLED = Duration.ofSeconds(30);

    private static final Duration OPENING = Duration.ofSeconds(10);

    private final ApiServer server;
    private final ProtobufKind kind;
    private final Duration stalled;
    private final Duration opening;

    ProtobufListWatch(ApiServer server, ProtobufKind kind) {
        this(server, kind, STALLED, OPENING);
    }

    ProtobufListWatch(ApiServer server, ProtobufKind kind, Duration stalled, Duration opening) {
        this.server = server;
        this.kind = kind;
        this.stalled = stalled;
        this.opening = opening;
    }

    @Override
    public KindReader<?> reader() {
        return kind.reader();
    }

    @Override
    public void list(KindReader<?> reader, SeenObjects seenObjects) throws InterruptedException {
        seenObjects.listing();
        ListMetadata listMetadata = page(reader, seenObjects, "");
        while (!listMetadata.continueToken().isEmpty()) {
            String after = URLEncoder.encode(listMetadata.continueToken(), StandardCharsets.UTF_8);
            listMetadata = page(reader, seenObjects, "?continue=" + after);
        }
        seenObjects.heard();
        seenObjects.listed(listMetadata.resourceVersion());
    }

    /**
     * Reads the whole list, or one page of it if the API server sends pages that were not requested.
     *
     * @param query empty for the first page
     */
    private ListMetadata page(KindReader<?> reader, SeenObjects seenObjects, String query) throws InterruptedException {
        try (StreamedResponse body = server.get(kind.path() + query, LIST, stalled, stalled)) {
            return new ListReader(body).read(item -> {
                seenObjects.heard();
                reader.changed(seenObjects, item);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long newest(Duration limit) throws InterruptedException {
        try (StreamedResponse body = server.get(kind.path() + "?limit=1", LIST, limit, limit)) {
            body.within(limit);
            return new ListReader(body).read(_ -> {}).resourceVersion();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public SecondWatch secondWatch(long from) throws InterruptedException {
        String query = "?watch=true&allowWatchBookmarks=true&resourceVersion=" + from + "&timeoutSeconds="
                + SecondWatch.LENGTH.toSeconds();
        return new SecondWatch(server.get(kind.path() + query, WATCH, SecondWatch.LENGTH, opening), kind.kind(), from);
    }

    @Override
    public Watching watch(SeenObjects seenObjects, Duration length) throws InterruptedException {
        String query = "?watch=true&allowWatchBookmarks=true&resourceVersion=" + seenObjects.reached()
                + "&timeoutSeconds=" + length.toSeconds();
        // KindFeed ends silent watches itself, long before this limit.
        Duration beyond = length.multipliedBy(2);
        return new ProtobufWatch(server.get(kind.path() + query, WATCH, opening, beyond), seenObjects);
    }

    /**
     * Delivers all changes of a watch until it ends, and returns how it ended.
     *
     * @param kind the {@code kind} of the watched objects
     * @throws OwnerThread.ForeignThreadException if another thread has used the reader or the objects: a bug
     */
    static WatchEnd follow(InputStream watch, String kind, KindReader<?> reader, SeenObjects seenObjects) {
        try {
            WatchReader frames = new WatchReader(watch, kind);
            for (Optional<WatchFrame> frame = frames.next(); ; frame = frames.next()) {
                Optional<WatchEnd> end =
                        frame.isEmpty() ? Optional.of(new WatchEnd.Closed()) : take(frame.get(), reader, seenObjects);
                if (end.isPresent()) {
                    return end.get();
                }
            }
        } catch (MalformedException e) {
            return new WatchEnd.Unreadable(unread(e));
        } catch (IOException _) {
            // The watch can be reopened once the API server can be reached again.
            return new WatchEnd.Closed();
        } catch (SeenObjects.OlderVersionException e) {
            return new WatchEnd.Broken(unread(e));
        } catch (OwnerThread.ForeignThreadException bug) {
            throw bug;
        } catch (RuntimeException e) {
            return new WatchEnd.Unreadable(unread(e));
        }
    }

    private static String unread(Exception e) {
        return "a change could not be read: " + e.getMessage();
    }

    private static Optional<WatchEnd> take(WatchFrame frame, KindReader<?> reader, SeenObjects seenObjects)
            throws MalformedException {
        switch (frame) {
            case WatchFrame.Changed(var object) -> reader.changed(seenObjects, object);
            case WatchFrame.Deleted(var object) -> reader.deleted(seenObjects, object);
            case WatchFrame.Bookmark(long version) -> seenObjects.reached(version);
            case WatchFrame.Failed failed -> {
                return Optional.of(WatchEnd.ofStatus(failed.code()));
            }
        }
        seenObjects.eventProcessed();
        return Optional.empty();
    }

    private final class ProtobufWatch implements Watching {
        private final StreamedResponse body;
        private final SeenObjects seenObjects;
        private volatile boolean givenUp;

        ProtobufWatch(StreamedResponse body, SeenObjects seenObjects) {
            this.body = body;
            this.seenObjects = seenObjects;
        }

        @Override
        public WatchEnd await(KindReader<?> reader) {
            WatchEnd end = follow(body, kind.kind(), reader, seenObjects);
            return givenUp ? new WatchEnd.GivenUp() : end;
        }

        @Override
        public void giveUp() {
            givenUp = true;
            body.end();
        }

        @Override
        public void close() {
            body.close();
        }
    }
}
