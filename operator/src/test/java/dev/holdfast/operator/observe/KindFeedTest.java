package dev.holdfast.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.observe.WatchServer.Reply;
import dev.holdfast.operator.observe.WatchServer.Request;
import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.View;
import dev.holdfast.policies.model.ClusterEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and watches that do not go as they should, seen from the engine. */
@Timeout(60)
class KindFeedTest {
    private static final String AT_7 = list("7", "");
    private static final Event SYNCED = new Event.ViewSynced(View.NAMESPACES);
    private static final Reply QUIET = new Reply.Opens(_ -> {});

    private volatile Instant now = Instant.EPOCH;
    private final ToldEvents told = new ToldEvents();
    private final BlockingQueue<Throwable> deaths = new LinkedBlockingQueue<>();
    private volatile boolean fatal;
    private final ScriptedServer server = new ScriptedServer(says(list("1000", "")));
    private final KubernetesClient client = SlimClient.of(server.connection(), Duration.ofSeconds(5));
    private final CoreFacts facts = new CoreFacts();
    private final KindFeed feed = new KindFeed(
            Kind.NAMESPACES,
            new SlimSource<>(
                    client,
                    new Slim<>(
                            SlimNamespace.class,
                            it -> it.getMetadata().getName(),
                            it -> new ClusterEvent.NamespaceChanged(facts.namespace(it)))),
            new ViewGate(View.NAMESPACES, List.of(Kind.NAMESPACES), told::add),
            Pace.of(() -> now),
            this::take,
            (_, death) -> deaths.add(death));

    private void take(Event event) {
        if (fatal) {
            throw new StackOverflowError("too deep");
        }
        told.add(event);
    }

    private static String list(String version, String more, String... names) {
        return """
            {"apiVersion":"v1","kind":"NamespaceList","metadata":{"resourceVersion":"%s","continue":"%s"},"items":[%s]}\
            """.formatted(
                version,
                more,
                String.join(
                        ",", Arrays.stream(names).map(it -> namespace(it, "5")).toList()));
    }

    private static String namespace(String name, String version) {
        return """
            {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s","resourceVersion":"%s"}}\
            """.formatted(name, version);
    }

    private static String status(int code, String message) {
        return """
            {"apiVersion":"v1","kind":"Status","status":"Failure","code":%s,"message":"%s"}\
            """.formatted(code, message);
    }

    private static Reply says(String body) {
        return new Reply.Says(200, body);
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

    private List<String> targets() {
        return server.received().stream().map(Request::target).toList();
    }

    @AfterEach
    void close() {
        feed.close();
        client.close();
        server.close();
    }

    @Test
    void bookmarksAreAskedForAndEventsAreTold() throws InterruptedException {
        start(List.of(says(AT_7)), List.of(new Reply.Opens(line -> line.send("ADDED", namespace("a", "8")))));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(next()).isInstanceOf(Event.FactChanged.class);
        assertThat(targets().getLast()).contains("allowWatchBookmarks=true");
    }

    @Test
    void aWatchThatReportsThatItsVersionIsForgottenLosesTheViewWhichIsListedAgain() throws InterruptedException {
        start(
                List.of(says(AT_7), says(list("20", ""))),
                List.of(new Reply.Opens(line -> line.send("ERROR", status(410, "too old resource version"))), QUIET));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(nextLoss()).isEqualTo("the API server has forgotten the changes since the last one seen");
        assertThat(next()).isEqualTo(SYNCED);
    }

    @Test
    void aWatchThatReportsAnotherErrorIsOpenedAgainFromWhereItWas() throws InterruptedException {
        start(
                List.of(says(AT_7)),
                List.of(
                        new Reply.Opens(line -> {
                            line.send("BOOKMARK", namespace("", "9"));
                            line.send("ERROR", status(500, "etcdserver: no leader"));
                        }),
                        new Reply.Opens(line -> line.send("ADDED", namespace("a", "12")))));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(next()).isInstanceOf(Event.FactChanged.class);
        assertThat(server.watchedFrom()).containsExactly("7", "9");
    }

    @Test
    void aListThatExpiresBetweenItsPagesIsBegunAnew() throws InterruptedException {
        start(
                List.of(
                        says(list("7", "page-2", "a")),
                        new Reply.Says(410, status(410, "The provided continue parameter is too old")),
                        says(list("20", "", "a", "b"))),
                List.of(QUIET));

        assertThat(next()).isInstanceOf(Event.FactChanged.class);
        assertThat(nextLoss())
                .isEqualTo("the API server answered 410 to list namespaces:"
                        + " The provided continue parameter is too old");
        assertThat(next()).isInstanceOf(Event.FactChanged.class);
        assertThat(next()).isEqualTo(SYNCED);
        assertThat(targets().get(2)).as("from the first page").doesNotContain("continue");
    }

    @Test
    void aWatchThatIsClosedAgainAndAgainAsSoonAsItIsOpenedLosesTheView() throws InterruptedException {
        start(List.of(says(AT_7)), List.of(new Reply.Opens(line -> {
            line.send("BOOKMARK", namespace("", "9"));
            line.end();
        })));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(nextLoss()).isEqualTo("the watch of namespaces is closed again and again as soon as it is opened");
        assertThat(server.watchedFrom()).hasSizeGreaterThanOrEqualTo(3);
    }

    @ParameterizedTest(name = "a WebSocket that is answered with {0} is not replaced by a watch over HTTP")
    @ValueSource(ints = {200, 503})
    void withoutWebSocketTheViewIsLost(int code) throws InterruptedException {
        start(List.of(says(AT_7)), List.of(new Reply.Says(code, "{}")));

        assertThat(next()).isEqualTo(SYNCED);
        assertThat(nextLoss())
                .isEqualTo(
                        "cannot watch namespaces: no WebSocket could be opened: the API server, or a proxy before it,"
                                + " answered 200 or 503, or not in time; if it stays so, let the proxy pass WebSocket"
                                + " upgrades");
        assertThat(server.received()).filteredOn(Request::isWatch).allMatch(Request::webSocket);
    }

    @Test
    void aWatchOfWhichNothingIsHeardFor90SecondsIsOpenedAnewWithoutALoss() throws InterruptedException {
        start(
                List.of(says(AT_7)),
                List.of(
                        new Reply.Opens(line -> line.send("ADDED", namespace("a", "8"))),
                        new Reply.Opens(line -> line.send("ADDED", namespace("b", "12")))));
        assertThat(next()).isEqualTo(SYNCED);
        assertThat(next()).isInstanceOf(Event.FactChanged.class);

        now = Instant.EPOCH.plusSeconds(89);
        feed.look();
        assertThat(server.watchedFrom()).containsExactly("7");
        now = Instant.EPOCH.plusSeconds(90);
        feed.look();

        assertThat(next()).isInstanceOf(Event.FactChanged.class);
        assertThat(server.watchedFrom()).containsExactly("7", "8");
        assertThat(feed.heard()).isEqualTo(now);
    }

    @Test
    void aSilentWatchThatCannotBeOpenedAnewLosesTheView() throws InterruptedException {
        start(
                List.of(says(AT_7)),
                List.of(
                        new Reply.Opens(line -> line.send("ADDED", namespace("a", "8"))),
                        new Reply.Says(500, status(500, "etcdserver: no leader"))));
        assertThat(next()).isEqualTo(SYNCED);
        assertThat(next()).isInstanceOf(Event.FactChanged.class);

        now = Instant.EPOCH.plusSeconds(90);
        feed.look();

        assertThat(next()).isInstanceOfSatisfying(Event.ViewLost.class, loss -> {
            assertThat(loss.why()).startsWith("the API server answered 500 to watch namespaces");
            assertThat(loss.lastHeard()).as("not when it was noticed").isEqualTo(Instant.EPOCH);
        });
    }

    @Test
    void anErrorOfTheFeedLosesTheViewAndIsTold() throws InterruptedException {
        fatal = true;
        start(List.of(says(list("7", "", "a"))), List.of(QUIET));

        assertThat(nextLoss()).isEqualTo("its feed died: java.lang.StackOverflowError: too deep");
        assertThat(deaths.poll(10, TimeUnit.SECONDS)).hasMessage("too deep");
    }
}
