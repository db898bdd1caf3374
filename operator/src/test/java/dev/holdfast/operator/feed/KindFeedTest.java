package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.operator.decode.RecordedBodies.envelope;
import static dev.holdfast.operator.decode.RecordedBodies.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.OwnerThread;
import dev.holdfast.policies.engine.protocol.View;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of a feed whose lists and watches fail, by the events that the engine gets. */
@Timeout(60)
class KindFeedTest {
    private static final Instant BEGIN = Instant.parse("2026-11-21T12:00:00Z");
    private static final Event SYNCED = new Event.ViewSynced(View.NAMESPACES);
    private static final Reply AT_7 = says(RecordedBodies.list("7"));

    private volatile Instant now = BEGIN;
    private final RecordedEvents told = new RecordedEvents();
    private final BlockingQueue<Throwable> deaths = new LinkedBlockingQueue<>();
    private volatile boolean fatal;
    private final ScriptedServer server = new ScriptedServer(says(RecordedBodies.list("1000")));
    private final StreamingRequests streamingRequests = new StreamingRequests(server.connection());
    private final KindFeed feed = new KindFeed(
            WatchedKind.NAMESPACES,
            new ProtobufListWatch(
                    streamingRequests, ProtobufKind.namespaces(), Duration.ofSeconds(3), Duration.ofSeconds(3)),
            new ViewGate(View.NAMESPACES, List.of(WatchedKind.NAMESPACES), told::add),
            FeedClock.of(() -> now),
            this::take,
            (_, death) -> deaths.add(death));

    private void take(Event event) {
        if (fatal) {
            throw new StackOverflowError("too deep");
        }
        told.add(event);
    }

    private static Reply says(byte[] body) {
        return new Reply.Streams(answer -> {
            answer.send(body);
            answer.end();
        });
    }

    private static Message namespace(String name, long version) {
        return message().part(1, message().text(1, name).text(6, Long.toString(version)));
    }

    private static byte[] event(String type, String name, long version) {
        return frame(type, envelope("Namespace", namespace(name, version)));
    }

    private void start(List<Reply> ofLists, List<Reply> ofWatches) {
        server.script(ofLists, ofWatches);
        feed.start();
    }

    @AfterEach
    void close() {
        feed.close();
        streamingRequests.close();
        server.close();
    }

    @Test
    void aWatchThatIsClosedAgainAndAgainAsSoonAsItIsOpenedLosesTheView() throws InterruptedException {
        start(List.of(AT_7), List.of(new Reply.Streams(watch -> {
            watch.send(event("BOOKMARK", "", 9));
            watch.end();
        })));

        assertThat(told.next()).isEqualTo(SYNCED);
        assertThat(told.nextLoss())
                .isEqualTo("the watch of namespaces is closed again and again as soon as it is opened");
        assertThat(server.watchedFrom()).startsWith("7", "9", "9");
    }

    @Test
    void afterAFrameThatCannotBeReadTheNextListTellsKnownVersionsAgain() throws InterruptedException {
        Reply list = says(RecordedBodies.list("7", namespace("a", 5)));
        start(
                List.of(list, list),
                List.of(says("<html>".getBytes(StandardCharsets.UTF_8)), new Reply.Streams(_ -> {})));

        Event first = told.next();
        assertThat(first).isInstanceOf(Event.ObjectChanged.class);
        assertThat(told.next()).isEqualTo(SYNCED);
        assertThat(told.nextLoss()).startsWith("a change could not be read: byte 0");
        assertThat(told.next()).isEqualTo(first);
        assertThat(told.next()).isEqualTo(SYNCED);
    }

    @Test
    void afterAnErrorOfTheApiServerTheNextListTellsNoKnownVersionAgain() throws InterruptedException {
        Reply list = says(RecordedBodies.list("7", namespace("a", 5)));
        Reply refusal = new Reply.Refuses(
                429,
                "",
                envelope("Status", message().text(2, "Failure").text(3, "later").number(6, 429)));
        start(
                List.of(list, refusal, list),
                List.of(
                        says(frame("ERROR", envelope("Status", message().number(6, 410)))),
                        new Reply.Streams(_ -> {})));

        assertThat(told.next()).isInstanceOf(Event.ObjectChanged.class);
        assertThat(told.next()).isEqualTo(SYNCED);
        assertThat(told.nextLoss()).startsWith("the API server no longer has the changes");
        assertThat(told.nextLoss()).contains("429");
        assertThat(told.next()).isEqualTo(SYNCED);
    }

    @Test
    void afterAnInvalidListTheNextListTellsKnownVersionsAgain() throws InterruptedException {
        Reply list = says(RecordedBodies.list("7", namespace("a", 5)));
        start(
                List.of(list, says("<html>".getBytes(StandardCharsets.UTF_8)), list),
                List.of(
                        says(frame("ERROR", envelope("Status", message().number(6, 410)))),
                        new Reply.Streams(_ -> {})));

        Event first = told.next();
        assertThat(told.next()).isEqualTo(SYNCED);
        assertThat(told.nextLoss()).startsWith("the API server no longer has the changes");
        assertThat(told.nextLoss()).contains("cannot list namespaces: the answer cannot be read");
        assertThat(told.next()).isEqualTo(first);
        assertThat(told.next()).isEqualTo(SYNCED);
    }

    @Test
    void aReaderOfAnotherThreadEndsTheFeedAsABugAndNotAsALostWatch() {
        KindReader<?> reader = ProtobufKind.namespaces().reader();
        SeenObjects seenObjects = new SeenObjects(WatchedKind.NAMESPACES, () -> now, _ -> {});
        CompletableFuture.runAsync(() -> follow(reader, seenObjects)).join();

        assertThatThrownBy(() -> follow(reader, seenObjects)).isInstanceOf(OwnerThread.ForeignThreadException.class);
    }

    private static void follow(KindReader<?> reader, SeenObjects seenObjects) {
        byte[] watch = event("ADDED", "a", 9);
        assertThat(ProtobufListWatch.follow(new ByteArrayInputStream(watch), "Namespace", reader, seenObjects))
                .isEqualTo(new WatchEnd.Closed());
    }

    @Test
    void aWatchThatTellsSomethingEachTimeBeforeItIsClosedIsOpenedAgain() throws InterruptedException {
        start(
                List.of(AT_7),
                IntStream.rangeClosed(8, 12)
                        .<Reply>mapToObj(version -> new Reply.Streams(watch -> {
                            watch.send(event("ADDED", "a", version));
                            watch.end();
                        }))
                        .toList());

        assertThat(told.next()).isEqualTo(SYNCED);
        for (int version = 8; version <= 12; version++) {
            assertThat(told.next()).isInstanceOf(Event.ObjectChanged.class);
        }
        assertThat(server.watchedFrom()).startsWith("7", "8", "9", "10", "11");
    }

    @Test
    void aLossIsToldFromWhenChangesWereLastHeardOfAndNotFromWhenItWasNoticed() throws InterruptedException {
        start(
                List.of(AT_7, new Reply.Says(500, "etcdserver: no leader")),
                List.of(new Reply.Streams(watch -> watch.send(event("ADDED", "a", 8)))));
        assertThat(told.next()).isEqualTo(SYNCED);
        assertThat(told.next()).isInstanceOf(Event.ObjectChanged.class);

        now = BEGIN.plusSeconds(90);
        feed.check();

        assertThat(told.next())
                .isEqualTo(new Event.ViewLost(
                        View.NAMESPACES,
                        "the API server, or a proxy in front of it, answered 500 to list namespaces: etcdserver: no"
                                + " leader",
                        BEGIN));
    }

    @Test
    void aBookmarkIsASignOfLifeToo() throws InterruptedException {
        Instant later = BEGIN.plusSeconds(60);
        start(List.of(AT_7), List.of(new Reply.Streams(watch -> {
            now = later;
            watch.send(event("BOOKMARK", "", 9));
        })));
        assertThat(told.next()).isEqualTo(SYNCED);

        while (!feed.lastHeard().equals(later)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anErrorOfTheFeedLosesTheViewAndIsTold() throws InterruptedException {
        fatal = true;
        start(List.of(says(RecordedBodies.list("7", namespace("a", 5)))), List.of(new Reply.Streams(_ -> {})));

        assertThat(told.nextLoss()).isEqualTo("its feed died: java.lang.StackOverflowError: too deep");
        assertThat(deaths.poll(10, TimeUnit.SECONDS)).hasMessage("too deep");
    }
}
