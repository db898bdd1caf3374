package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.operator.decode.RecordedBodies.envelope;
import static dev.holdfast.operator.decode.RecordedBodies.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.operator.api.ApiRefusal;
import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent.NamespaceChanged;
import dev.holdfast.policies.model.ClusterEvent.NamespaceGone;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of valid and invalid protobuf lists and watches, by the events that the engine gets. */
@Timeout(60)
class ProtobufListWatchTest {
    private static final Event SYNCED = new Event.ViewSynced(View.NAMESPACES);
    private static final Reply QUIET = new Reply.Streams(_ -> {});

    private final RecordedEvents told = new RecordedEvents();
    private final BlockingQueue<Throwable> deaths = new LinkedBlockingQueue<>();
    private volatile Instant now = Instant.EPOCH.plusSeconds(1);
    private final ScriptedServer server = new ScriptedServer(says(list(1_000)));
    private final StreamingRequests streamingRequests = new StreamingRequests(server.connection());
    private final KindFeed feed = new KindFeed(
            WatchedKind.NAMESPACES,
            new ProtobufListWatch(
                    streamingRequests, ProtobufKind.namespaces(), Duration.ofSeconds(3), Duration.ofSeconds(3)),
            new ViewGate(View.NAMESPACES, List.of(WatchedKind.NAMESPACES), told::add),
            FeedClock.of(() -> now),
            told::add,
            (_, death) -> deaths.add(death));

    private static Message namespace(String name, long version) {
        return message().part(1, message().text(1, name).text(5, "uid-" + name).text(6, Long.toString(version)));
    }

    private static byte[] list(long version, Message... items) {
        return RecordedBodies.list(Long.toString(version), items);
    }

    private static Reply says(byte[] body) {
        return new Reply.Streams(answer -> {
            answer.send(body);
            answer.end();
        });
    }

    private static byte[] event(String type, String name, long version) {
        return frame(type, envelope("Namespace", namespace(name, version)));
    }

    private static byte[] error(int code) {
        return frame("ERROR", envelope("Status", message().text(3, "why").number(6, code)));
    }

    private static Event changed(String name, long version) {
        return new Event.ObjectChanged(new NamespaceChanged(new Namespace(name, version, Labels.none())));
    }

    private void start(List<Reply> ofLists, List<Reply> ofWatches) {
        server.script(ofLists, ofWatches);
        feed.start();
    }

    private Event next() throws InterruptedException {
        return told.next();
    }

    private String nextLoss() throws InterruptedException {
        return told.nextLoss();
    }

    @AfterEach
    void close() {
        feed.close();
        streamingRequests.close();
        server.close();
    }

    @Test
    void whatIsListedAndWhatChangesIsTold() throws InterruptedException {
        start(List.of(says(list(9, namespace("a", 5), namespace("b", 4)))), List.of(new Reply.Streams(watch -> {
            watch.send(event("MODIFIED", "a", 10));
            watch.send(event("DELETED", "b", 11));
        })));

        assertThat(List.of(next(), next(), next())).isEqualTo(List.of(changed("a", 5), changed("b", 4), SYNCED));
        assertThat(List.of(next(), next()))
                .isEqualTo(List.of(changed("a", 10), new Event.ObjectChanged(new NamespaceGone("b"))));
        assertThat(deaths).isEmpty();
    }

    @Test
    void protobufIsAskedForInOneConsistentListAndWithoutGzip() throws InterruptedException {
        start(List.of(says(list(9))), List.of(new Reply.Streams(watch -> watch.send(event("ADDED", "a", 10)))));
        assertThat(next()).isEqualTo(SYNCED);
        assertThat(next()).isEqualTo(changed("a", 10));

        Request list = server.received().getFirst();
        Request watch = server.received().getLast();
        assertThat(list.target()).isEqualTo("/api/v1/namespaces");
        assertThat(list.headers())
                .containsEntry("accept", "application/vnd.kubernetes.protobuf")
                .containsEntry("accept-encoding", "identity");
        assertThat(watch.target())
                .matches("/api/v1/namespaces\\?watch=true&allowWatchBookmarks=true&resourceVersion=9"
                        + "&timeoutSeconds=[3-5][0-9]{2}");
        assertThat(watch.headers())
                .containsEntry("accept", "application/vnd.kubernetes.protobuf;stream=watch")
                .containsEntry("accept-encoding", "identity");
    }

    @Test
    void aListThatIsCutIsNoShortListThoughHttpEndsItWell() throws InterruptedException {
        byte[] whole = list(9, namespace("a", 5), namespace("b", 4));
        start(List.of(says(Arrays.copyOf(whole, whole.length - 20)), says(whole)), List.of(QUIET));

        assertThat(next()).isEqualTo(changed("a", 5));
        assertThat(nextLoss()).startsWith("cannot list namespaces: the answer cannot be read: byte ");
        assertThat(next()).as("it is in doubt, and told again").isEqualTo(changed("a", 5));
        assertThat(next()).isEqualTo(changed("b", 4));
        assertThat(next()).isEqualTo(SYNCED);
    }

    @Test
    void aListWhoseConnectionIsCutIsListedAgain() throws InterruptedException {
        byte[] whole = list(9, namespace("a", 5), namespace("b", 4));
        start(
                List.of(
                        new Reply.Streams(answer -> {
                            answer.send(Arrays.copyOf(whole, whole.length - 20));
                            answer.cut();
                        }),
                        says(whole)),
                List.of(QUIET));

        assertThat(next()).isEqualTo(changed("a", 5));
        assertThat(nextLoss()).startsWith("cannot reach the API server to list namespaces: ");
        assertThat(next()).isEqualTo(changed("b", 4));
        assertThat(next()).isEqualTo(SYNCED);
    }

    @Test
    void aServerThatPagesWithoutARequestForPagesIsFollowed() throws InterruptedException {
        byte[] first = envelope(
                "NamespaceList",
                message().part(1, message().text(2, "9").text(3, "more/+=")).part(2, namespace("a", 5)));
        start(List.of(says(first), says(list(9, namespace("b", 4)))), List.of(QUIET));

        assertThat(List.of(next(), next(), next())).isEqualTo(List.of(changed("a", 5), changed("b", 4), SYNCED));
        assertThat(server.received().get(1).target()).isEqualTo("/api/v1/namespaces?continue=more%2F%2B%3D");
    }

    @Test
    void whatAServerThatPagesHasForgottenMeanwhileIsListedAgain() throws InterruptedException {
        byte[] first = envelope(
                "NamespaceList",
                message().part(1, message().text(2, "9").text(3, "more")).part(2, namespace("a", 5)));
        start(
                List.of(says(first), new Reply.Says(410, "too old"), says(first), says(list(9, namespace("b", 4)))),
                List.of(QUIET));

        assertThat(next()).isEqualTo(changed("a", 5));
        assertThat(nextLoss())
                .isEqualTo("the API server, or a proxy in front of it, answered 410 to list namespaces: too old");
        assertThat(List.of(next(), next())).isEqualTo(List.of(changed("b", 4), SYNCED));
        assertThat(server.received().stream().map(Request::target).limit(4))
                .containsExactly(
                        "/api/v1/namespaces",
                        "/api/v1/namespaces?continue=more",
                        "/api/v1/namespaces",
                        "/api/v1/namespaces?continue=more");
    }

    @Test
    void thePageOfAProxyIsSaidToBeOne() throws InterruptedException {
        start(List.of(new Reply.Says(200, "<html>please log in</html>")), List.of(QUIET));

        assertThat(nextLoss())
                .isEqualTo("cannot list namespaces: the answer cannot be read: byte 0: this is not protobuf of an API"
                        + " server: it begins with \"<html>please log in</html>\"");
    }

    @Test
    void aRefusalIsReadInProtobufAndInPlainText() throws InterruptedException {
        start(
                List.of(
                        new Reply.Refuses(
                                403,
                                "",
                                envelope(
                                        "Status",
                                        message().text(3, "namespaces is forbidden: User \"nobody\" cannot"))),
                        new Reply.Says(503, "no backend"),
                        says(list(9))),
                List.of(QUIET));

        assertThat(nextLoss()).isEqualTo("the right to list namespaces is missing: grant it to User \"nobody\"");
        assertThat(nextLoss())
                .isEqualTo("the API server, or a proxy in front of it, answered 503 to list namespaces: no backend");
        assertThat(next()).isEqualTo(SYNCED);
    }

    @Test
    void aWatchThatReportsThatItsVersionIsForgottenLosesTheViewWhichIsListedAgain() throws InterruptedException {
        start(
                List.of(says(list(9)), says(list(20))),
                List.of(new Reply.Streams(watch -> watch.send(error(410))), QUIET));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(nextLoss()).isEqualTo("the API server no longer has the changes since the last one seen");
        assertThat(next()).isEqualTo(SYNCED);
    }

    @Test
    void aWatchThatEndsInWhateverOtherWayIsOpenedAgainFromWhereItWas() throws InterruptedException {
        byte[] whole = event("ADDED", "b", 13);
        start(
                List.of(says(list(9))),
                List.of(
                        new Reply.Streams(watch -> {
                            watch.send(frame("BOOKMARK", envelope("Namespace", namespace("", 10))));
                            watch.send(error(500));
                        }),
                        new Reply.Streams(watch -> {
                            // The watch is older than a second.
                            now = now.plusSeconds(2);
                            watch.send(event("ADDED", "a", 12));
                            watch.end();
                        }),
                        new Reply.Streams(watch -> {
                            watch.send(Arrays.copyOf(whole, 9));
                            watch.cut();
                        }),
                        new Reply.Streams(watch -> watch.send(whole))));

        assertThat(List.of(next(), next(), next())).isEqualTo(List.of(SYNCED, changed("a", 12), changed("b", 13)));
        assertThat(server.watchedFrom()).startsWith("9", "10", "12", "12");
    }

    @Test
    void aFrameThatCannotBeReadLosesTheViewWhichIsListedAgain() throws InterruptedException {
        start(
                List.of(says(list(9)), says(list(20))),
                List.of(new Reply.Streams(watch -> watch.send(new byte[] {0, 0, 0, 0})), QUIET));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(nextLoss()).startsWith("a change could not be read: byte 0: a frame of 0 bytes");
        assertThat(next()).isEqualTo(SYNCED);
    }

    /** Restores a backup: the API server had reached version 90, and continues from version 40. */
    private void restored(Reply watch) throws InterruptedException {
        server.newest(says(list(40)));
        start(List.of(says(list(90, namespace("a", 5))), says(list(40, namespace("a", 5)))), List.of(watch, QUIET));
        assertThat(List.of(next(), next())).isEqualTo(List.of(changed("a", 5), SYNCED));
    }

    private static final String ANOTHER_PAST =
            "the API server shows an older state than before, as after the restore of a backup";

    private void assertToldAgain() throws InterruptedException {
        assertThat(List.of(next(), next(), next()))
                .isEqualTo(List.of(
                        new Event.ViewLost(
                                View.NAMESPACES, ANOTHER_PAST + ": every forgiveness restarts", Instant.EPOCH),
                        changed("a", 5),
                        SYNCED));
    }

    @Test
    void aWatchThatEndsBeforeItsTimeIsNotResumedInAnotherPast() throws InterruptedException {
        restored(new Reply.Streams(WebSocketApiServer.Body::end));

        assertThat(nextLoss()).isEqualTo(ANOTHER_PAST);
        assertToldAgain();
    }

    @Test
    void aSilentWatchIsNotResumedInAnotherPast() throws InterruptedException {
        restored(QUIET);
        beSilent();

        assertThat(nextLoss()).isEqualTo(ANOTHER_PAST);
        assertToldAgain();
    }

    @Test
    void aWatchThatReportsAnOlderVersionIsNotBelieved() throws InterruptedException {
        restored(new Reply.Streams(watch -> watch.send(event("ADDED", "b", 38))));

        assertThat(nextLoss()).isEqualTo("a change could not be read: its version went back from 90 to 38");
        assertToldAgain();
    }

    @Test
    void aListThatNamesAnObjectAsItWasBeforeIsOfAnotherPast() throws InterruptedException {
        start(
                List.of(says(list(9, namespace("a", 5))), says(list(20, namespace("a", 4)))),
                List.of(new Reply.Streams(watch -> watch.send(error(410))), QUIET));
        assertThat(List.of(next(), next())).isEqualTo(List.of(changed("a", 5), SYNCED));

        assertThat(nextLoss()).startsWith("the API server no longer has");
        assertThat(next()).isEqualTo(changed("a", 4));
        assertThat(nextLoss()).isEqualTo(ANOTHER_PAST + ": every forgiveness restarts");
        assertThat(List.of(next(), next())).isEqualTo(List.of(changed("a", 4), SYNCED));
    }

    @Test
    void aWatchThatEndsBeforeItsTimeIsOpenedAgainOnceTheVersionIsKnownToBeNoOlder() throws InterruptedException {
        start(
                List.of(says(list(9))),
                List.of(
                        new Reply.Streams(watch -> {
                            now = now.plusSeconds(200);
                            watch.end();
                        }),
                        new Reply.Streams(watch -> watch.send(event("ADDED", "a", 10)))));

        assertThat(List.of(next(), next())).isEqualTo(List.of(SYNCED, changed("a", 10)));
        assertThat(server.received().stream().map(Request::target))
                .filteredOn(it -> !it.contains("watch"))
                .containsExactly("/api/v1/namespaces", "/api/v1/namespaces?limit=1");
    }

    @Test
    void aViewIsSyncedOnlyOnceAWatchGoesOnFromTheListWhateverComesInItsPlace() throws InterruptedException {
        start(List.of(says(list(9))), List.of(new Reply.Stalls(503)));

        assertThat(nextLoss())
                .isEqualTo("the API server, or a proxy in front of it, answered 503 to watch namespaces:"
                        + " the reason could not be read: no data for 1 s");
    }

    @Test
    void anApiServerThatDoesNotAnswerIsNotWaitedForForEver() throws InterruptedException {
        start(List.of(new Reply.StaysSilent(), says(list(9))), List.of(QUIET));

        assertThat(nextLoss()).isEqualTo("cannot reach the API server to list namespaces: timeout");
        assertThat(next()).isEqualTo(SYNCED);
    }

    @Test
    void aSilentWatchThatCannotBeOpenedAgainLosesTheView() throws InterruptedException {
        start(List.of(says(list(9))), List.of(QUIET, new Reply.Says(500, "no leader")));
        assertThat(next()).isEqualTo(SYNCED);
        beSilent();

        assertThat(nextLoss())
                .isEqualTo("the API server, or a proxy in front of it, answered 500 to watch namespaces: no leader");
    }

    @Test
    void aPageInsteadOfAWatchLosesTheView() throws InterruptedException {
        start(List.of(says(list(9))), List.of(new Reply.Says(200, "<html>please log in</html>")));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(nextLoss()).startsWith("a change could not be read: byte 0: a frame of ");
    }

    @Test
    void howLongToWaitIsAskedForInSecondsAndGrantedUpToAMinute() {
        assertThat(pauseAfter("7")).isEqualTo(Duration.ofSeconds(7));
        assertThat(pauseAfter("99999")).isEqualTo(Duration.ofMinutes(1));
        assertThat(pauseAfter("Sat, 21 Nov 2026 12:00:00 GMT")).isZero();
        assertThat(ApiRefusal.pause(new IllegalStateException())).isZero();
    }

    private Duration pauseAfter(String header) {
        server.newest(new Reply.Refuses(429, header, "later".getBytes(StandardCharsets.UTF_8)));
        return ApiRefusal.pause(catchThrowable(() -> streamingRequests.get(
                "/api/v1/namespaces?limit=1", "a/b", Duration.ofSeconds(3), Duration.ofSeconds(3))));
    }

    /** Lets the watch be silent for 90 s, and waits until the feed has noticed. */
    private void beSilent() {
        while (server.watchedFrom().isEmpty()) {
            Thread.onSpinWait();
        }
        now = now.plusSeconds(90);
        while (told.isEmpty()) {
            // The answer to the watch may not have arrived yet.
            feed.check();
            Thread.onSpinWait();
        }
    }

    @Test
    void aWatchOfWhichNothingIsHeardFor90SecondsIsOpenedAgainWithoutALoss() throws InterruptedException, IOException {
        start(
                List.of(says(list(9)), says(list(11, namespace("a", 10)))),
                List.of(
                        new Reply.Streams(watch -> watch.send(event("ADDED", "a", 10))),
                        new Reply.Streams(watch -> watch.send(event("ADDED", "b", 12)))));
        assertThat(List.of(next(), next())).isEqualTo(List.of(SYNCED, changed("a", 10)));

        now = now.plusSeconds(89);
        feed.check();
        assertThat(server.watchedFrom()).containsExactly("9");
        now = now.plusSeconds(1);
        feed.check();

        assertThat(next()).isEqualTo(changed("b", 12));
        assertThat(server.watchedFrom()).containsExactly("9", "11");
    }

    @Test
    void aWatchThatWasSilentThoughSomethingChangedIsNotBelievedUntilOneSpeaks() throws InterruptedException {
        start(
                List.of(says(list(9)), says(list(12, namespace("a", 11), namespace("b", 12)))),
                List.of(QUIET, new Reply.Streams(watch -> watch.send(event("ADDED", "c", 13)))));
        assertThat(next()).isEqualTo(SYNCED);
        beSilent();

        assertThat(nextLoss())
                .isEqualTo("the watch was silent for 90 s although objects had changed:"
                        + " does a proxy buffer answers until they end?");
        assertThat(List.of(next(), next(), next(), next()))
                .isEqualTo(List.of(changed("a", 11), changed("b", 12), changed("c", 13), SYNCED));
    }

    @Test
    void aListThatFailsAfterASilenceIsTheReasonAndTheNextOneIsBelieved() throws InterruptedException {
        start(
                List.of(says(list(9)), new Reply.Says(500, "no leader"), says(list(12, namespace("a", 11)))),
                List.of(QUIET));
        assertThat(next()).isEqualTo(SYNCED);
        beSilent();

        assertThat(nextLoss())
                .isEqualTo("the API server, or a proxy in front of it, answered 500 to list namespaces: no leader");
        assertThat(List.of(next(), next())).isEqualTo(List.of(changed("a", 11), SYNCED));
    }

    @Test
    void aServerThatWasOnceBehindHasAnotherPastThoughItsListIsNewerByThen() throws InterruptedException {
        server.newest(says(list(40)));
        start(List.of(says(list(90)), says(list(95))), List.of(new Reply.Streams(WebSocketApiServer.Body::end), QUIET));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(nextLoss()).startsWith("the API server shows an older state than before");
        assertThat(next())
                .isInstanceOfSatisfying(
                        Event.ViewLost.class,
                        lost -> assertThat(lost.ofAnotherPast()).isTrue());
        assertThat(next()).isEqualTo(SYNCED);
    }
}
