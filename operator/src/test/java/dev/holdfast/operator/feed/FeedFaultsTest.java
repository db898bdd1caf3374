package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.FakeApiServer.Verb;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.Labels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of connections and answers. {@link EvictionJudge} checks the feeds and evictions at every instant. */
class FeedFaultsTest {
    private static final String NEW_PAST = "the API server no longer has the changes since the last one seen";

    private final SimulatedTime time = new SimulatedTime(1);
    private final FakeApiServer fakeApiServer = new FakeApiServer(time, 100);
    private final ShopCluster shopCluster = new ShopCluster(time, fakeApiServer.state);
    private final FeedHarness operator = new FeedHarness(time, fakeApiServer, shopCluster);

    @BeforeEach
    void begin() {
        shopCluster.node("n1", "ssd", "a");
        shopCluster.node("n2", "ssd", "a");
        shopCluster.pod("shop", "web-1", "n1", "web");
        operator.start();
        // From now on the server sends bookmarks of every kind.
        shopCluster.node("n1", "hdd", "a");
        shopCluster.pod("shop", "other", "n2", "none");
        shopCluster.namespace("lake", "team", "none");
    }

    @AfterEach
    void close() {
        operator.close();
    }

    private List<Duration> betweenLists(WatchedKind watchedKind) {
        List<Instant> lists = fakeApiServer.asked(watchedKind, Verb.LIST).stream()
                .map(FakeApiServer.Asking::at)
                .toList();
        return Stream.iterate(1, i -> i < lists.size(), i -> i + 1)
                .map(i -> Duration.between(lists.get(i - 1), lists.get(i)))
                .toList();
    }

    @Test
    void withoutAFaultAPodIsEvictedWhenItsForgivenessIsOver() {
        operator.passSeconds(60);
        assertThat(operator.evicted()).isEmpty();

        operator.passSeconds(1);

        assertThat(operator.evicted()).containsExactly("web-1");
        assertThat(operator.judge.broken()).isEmpty();
        operator.seesAll();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"by an ERROR frame within a 200", "by a status"})
    void everyWatchExpiresEachSecondForFiveMinutes(String how) {
        boolean frame = how.contains("frame");
        if (!frame) {
            fakeApiServer.refusesForgotten();
        }
        fakeApiServer.listsTake(Duration.ofMillis(300));
        for (int second = 0; second < 300; second++) {
            fakeApiServer.watches().forEach(watch -> expires(watch, frame));
            shopCluster.node("n2", second % 2 == 0 ? "hdd" : "ssd", "a");
            fakeApiServer.state.forget();
            operator.passSeconds(1);
        }
        assertThat(operator.evicted()).as("evictions while views are lost").isEmpty();
        assertThat(fakeApiServer.mostListsAtOnce()).isEqualTo(1);
        for (WatchedKind watchedKind : FakeServerState.KINDS) {
            List<Duration> pauses = betweenLists(watchedKind);
            assertThat(pauses).as("lists of %s", watchedKind).hasSizeBetween(10, 25);
            assertThat(pauses.getFirst()).isLessThan(Duration.ofSeconds(3));
            assertThat(pauses.subList(7, pauses.size())).allMatch(it -> it.compareTo(Duration.ofSeconds(20)) >= 0);
        }

        assertThat(operator.untilItSees()).isLessThan(Duration.ofSeconds(31));
        operator.seesAll();
        operator.passSeconds(65);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    private static void expires(FakeWatch watch, boolean frame) {
        if (frame) {
            watch.fails(410);
        } else {
            watch.ends();
        }
    }

    static Stream<WatchedKind> watchedKinds() {
        return FakeServerState.KINDS.stream();
    }

    @ParameterizedTest(name = "of {0}")
    @MethodSource("watchedKinds")
    void aSilentWatchIsCheckedByAListAndOpenedAgainAndNothingIsMissed(WatchedKind watchedKind) {
        fakeApiServer.watches(watchedKind).forEach(FakeWatch::silences);
        Instant silent = time.instant();
        shopCluster.node("n1", "ssd", "a");
        shopCluster.pod("shop", "other", "n2", "other");
        shopCluster.namespace("lake", "team", "data");

        operator.passSeconds(95);
        assertThat(operator.lost()).containsOnlyKeys(watchedKind.view());
        // No more changes follow, so only another list confirms the view.
        operator.passSeconds(95);

        FakeApiServer.Asking opened =
                fakeApiServer.asked(watchedKind, Verb.WATCH).get(1);
        assertThat(Duration.between(silent, opened.at())).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(95));
        assertThat(fakeApiServer.asked(watchedKind, Verb.LIST))
                .as("lists of %s", watchedKind)
                .hasSize(3);
        assertThat(operator.history()).anyMatch(it -> it.contains("the watch was silent for 90 s"));
        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    @Test
    void whatHealedWhileTheWatchWasSilentIsHeldUntilItIsSeenAndNeverEvicted() {
        operator.passSeconds(5);
        fakeApiServer.watches(WatchedKind.NODES).forEach(FakeWatch::silences);
        shopCluster.node("n1", "ssd", "a");

        operator.passSeconds(600);

        assertThat(operator.history()).anyMatch(it -> it.endsWith("holds web-1 ViewBehind"));
        assertThat(operator.history()).anyMatch(it -> it.endsWith("ends web-1 ssd healed"));
        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    /** Like a proxy that buffers the answer and closes connections that look idle. */
    @ParameterizedTest(name = "of {0}")
    @MethodSource("watchedKinds")
    void aSilentWatchIsNoticedEvenIfAProxyClosesItEachMinute(WatchedKind watchedKind) {
        operator.passSeconds(5);
        fakeApiServer.watches(watchedKind).forEach(FakeWatch::silences);
        fakeApiServer.faults(asking -> asking.watchedKind().equals(watchedKind) && asking.verb() == Verb.WATCH
                ? Optional.of(new AnswerFault.Freezes(0))
                : Optional.empty());
        shopCluster.node("n1", "ssd", "a");
        shopCluster.pod("shop", "other", "n2", "other");
        shopCluster.namespace("lake", "team", "data");

        for (int minute = 1; minute <= 10; minute++) {
            operator.passSeconds(60);
            fakeApiServer.watches(watchedKind).forEach(watch -> watch.breaks("idle"));
        }

        assertThat(operator.history()).anyMatch(it -> it.matches("PT1M\\d+S loses .* the watch was silent for 90 s.*"));
        assertThat(operator.evicted()).isEmpty();
        fakeApiServer.well();
        fakeApiServer.watches(watchedKind).forEach(watch -> watch.breaks("idle"));
        operator.passSeconds(190);
        operator.seesAll();
    }

    static Stream<Arguments> listsThatBreakAfterASilence() {
        return Stream.of(
                argumentSet("the first list, after nine tenths of it: it has shown that the watch is mute", 1, 0.9, 60),
                argumentSet("the second list, before its first object: it says nothing for the watch", 2, 0.0, 150));
    }

    @ParameterizedTest
    @MethodSource("listsThatBreakAfterASilence")
    void theViewOfAMuteWatchStaysLostWhenAListBreaks(int broken, double after, int seconds) {
        fakeApiServer.watches(WatchedKind.NODES).forEach(FakeWatch::silences);
        shopCluster.node("n1", "ssd", "a");
        int before = fakeApiServer.asked(WatchedKind.NODES, Verb.LIST).size();
        fakeApiServer.faults(asking -> switch (asking.verb()) {
            case WATCH -> onNodes(asking, new AnswerFault.Freezes(0));
            case LIST ->
                fakeApiServer.asked(WatchedKind.NODES, Verb.LIST).size() == before + broken
                        ? onNodes(asking, new AnswerFault.Breaks(after))
                        : Optional.empty();
            case NEWEST, READ -> Optional.empty();
        });

        operator.passSeconds(96);
        for (int second = 0; second < seconds; second++) {
            assertThat(operator.lost()).containsOnlyKeys(View.NODES);
            operator.passSeconds(1);
        }
        assertThat(fakeApiServer.asked(WatchedKind.NODES, Verb.LIST))
                .as("the list that broke, and the next one")
                .hasSize(before + broken + 1);
        fakeApiServer.well();
        operator.passSeconds(190);
        operator.seesAll();
    }

    private static Optional<AnswerFault> onNodes(FakeApiServer.Asking asking, AnswerFault answerFault) {
        return asking.watchedKind().equals(WatchedKind.NODES) ? Optional.of(answerFault) : Optional.empty();
    }

    @ParameterizedTest(name = "of a watch that was {0}")
    @ValueSource(strings = {"silent", "forgotten"})
    void afterAListThatTakesTooLongAViewIsBackOnlyOnceItsWatchSpeaks(String watch) {
        boolean silent = watch.equals("silent");
        fakeApiServer.watches(WatchedKind.NODES).forEach(it -> {
            if (silent) {
                it.silences();
            } else {
                it.fails(410);
            }
        });
        fakeApiServer.faults(asking -> asking.verb() == Verb.LIST
                ? onNodes(asking, new AnswerFault.Trickles(Duration.ofSeconds(150)))
                : Optional.empty());
        operator.passSeconds(100);
        fakeApiServer.well();
        Instant ends =
                fakeApiServer.asked(WatchedKind.NODES, Verb.LIST).getLast().at().plusSeconds(150);
        while (time.instant().isBefore(ends)) {
            operator.passSeconds(1);
        }

        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        // A change of another kind: without it there would be no bookmark of nodes.
        shopCluster.namespace("lake", "team", "data");
        assertThat(operator.untilItSees())
                .as("time to the first bookmark")
                .isBetween(FakeApiServer.BOOKMARKS_EACH.minusSeconds(2), FakeApiServer.BOOKMARKS_EACH);
        operator.seesAll();
    }

    @Test
    void aListAfterASilenceThatTakesTooLongLosesTheViewThoughItTellsNothingNew() {
        operator.passSeconds(5);
        shopCluster.node("n1", "ssd", "a");
        operator.passSeconds(5);
        fakeApiServer.watches(WatchedKind.NODES).forEach(FakeWatch::silences);
        fakeApiServer.faults(asking -> asking.watchedKind().equals(WatchedKind.NODES) && asking.verb() == Verb.LIST
                ? Optional.of(new AnswerFault.Trickles(Duration.ofSeconds(400)))
                : Optional.empty());

        operator.passSeconds(150);
        assertThat(operator.lost())
                .containsEntry(
                        View.NODES,
                        "the view could not be confirmed as current for 135 s: the API server, or a proxy in front of"
                                + " it, answers too slowly");

        fakeApiServer.well();
        operator.passSeconds(300);
        assertThat(operator.untilItSees()).isLessThan(Duration.ofMinutes(3));
        operator.seesAll();
    }

    @ParameterizedTest(name = "of code {0}")
    @ValueSource(ints = {410, 500})
    void aViewThatAMuteWatchHasLostIsNotBelievedForAnErrorFrame(int code) {
        fakeApiServer.watches(WatchedKind.NODES).forEach(FakeWatch::silences);
        shopCluster.node("n1", "ssd", "a");
        operator.passSeconds(95);
        assertThat(operator.lost()).containsOnlyKeys(View.NODES);

        fakeApiServer.faults(asking -> asking.watchedKind().equals(WatchedKind.NODES) && asking.verb() == Verb.WATCH
                ? Optional.of(new AnswerFault.Freezes(0))
                : Optional.empty());
        fakeApiServer.watches(WatchedKind.NODES).forEach(watch -> watch.fails(code));
        operator.passSeconds(60);

        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        fakeApiServer.well();
        operator.passSeconds(190);
        operator.seesAll();
    }

    @ParameterizedTest(name = "of {0}")
    @MethodSource("watchedKinds")
    void aSilentWatchWhoseServerIsSilentTooLosesTheView(WatchedKind watchedKind) {
        fakeApiServer.watches(watchedKind).forEach(FakeWatch::silences);
        fakeApiServer.faults(asking -> asking.watchedKind().equals(watchedKind) && asking.verb() != Verb.READ
                ? Optional.of(new AnswerFault.Mute())
                : Optional.empty());

        operator.passSeconds(59);
        shopCluster.node("n1", "ssd", "a");
        operator.passSeconds(1);
        shopCluster.node("n1", "hdd", "a");
        operator.passSeconds(90);

        assertThat(operator.lost())
                .containsEntry(watchedKind.view(), "cannot reach the API server to list " + watchedKind + ": timeout");
        operator.passSeconds(600);
        assertThat(operator.evicted()).as("evictions while the view is lost").isEmpty();
        fakeApiServer.well();
        assertThat(operator.untilItSees()).isLessThan(Duration.ofSeconds(61));
        operator.passSeconds(61);
        assertThat(operator.evicted()).containsExactly("web-1");
        operator.seesAll();
    }

    static Stream<Arguments> outages() {
        return Stream.of(
                argumentSet("connections are refused for a second", new AnswerFault.Down(), 1),
                argumentSet("connections are refused for 30 s", new AnswerFault.Down(), 30),
                argumentSet("connections are refused for 10 min", new AnswerFault.Down(), 600),
                argumentSet("no answers for a second", new AnswerFault.Mute(), 1),
                argumentSet("no answers for 30 s", new AnswerFault.Mute(), 30),
                argumentSet("no answers for 10 min", new AnswerFault.Mute(), 600));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void afterAnOutageEverythingIsSeenAgainSoonAndNothingWasEvictedMeanwhile(AnswerFault answerFault, int seconds) {
        operator.passSeconds(30);
        fakeApiServer.faults(answerFault);
        fakeApiServer.resets();
        operator.passSeconds(seconds);
        assertThat(operator.evicted()).isEmpty();
        shopCluster.pod("shop", "other", "n2", "changed");
        fakeApiServer.well();

        // First the request of the watch times out; then that of a list, followed by the back-off.
        operator.passSeconds(10);
        assertThat(operator.untilItSees()).isLessThanOrEqualTo(Duration.ofSeconds(20 + Math.min(seconds, 30)));
        operator.seesAll();
        operator.passSeconds(61);
        assertThat(operator.evicted()).containsExactly("web-1");
        assertThat(operator.lost()).isEmpty();
    }

    @Test
    void anOutageOfASecondOnlyDelaysAnEvictionByWhatWasNotSeen() {
        operator.passSeconds(29);
        // Every kind gets an event right before.
        shopCluster.node("n2", "ssd", "b");
        shopCluster.pod("shop", "other", "n2", "changed");
        shopCluster.namespace("lake", "team", "none");
        operator.passSeconds(1);
        fakeApiServer.faults(new AnswerFault.Down());
        fakeApiServer.resets();
        operator.passSeconds(1);
        fakeApiServer.well();

        operator.passSeconds(31);
        assertThat(operator.evicted())
                .as("evictions after 62 s, of which at least 2 s were blind")
                .isEmpty();
        operator.passSeconds(4);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> badAnswers() {
        return Stream.of(
                argumentSet(
                        "500",
                        AnswerFault.Refuses.with(500, "etcd is slow"),
                        "the API server answered 500 to list nodes: etcd is slow"),
                argumentSet(
                        "503",
                        AnswerFault.Refuses.with(503, "starting"),
                        "the API server answered 503 to list nodes: starting"),
                argumentSet(
                        "429",
                        new AnswerFault.Refuses(429, "slower", Duration.ofSeconds(40)),
                        "the API server answered 429 to list nodes: slower"),
                argumentSet(
                        "a proxy's page",
                        new AnswerFault.Page("<html>Sign in</html>"),
                        "cannot list nodes: the answer cannot be read: byte 0: this is not protobuf of an API server:"
                                + " it begins with \"<html>Sign in</html>\""),
                argumentSet(
                        "half a list", new AnswerFault.Cut(0.5), "cannot list nodes: the answer cannot be read: byte "),
                argumentSet(
                        "a list that breaks off",
                        new AnswerFault.Breaks(0.5),
                        "cannot reach the API server to list nodes: the connection broke: reset"),
                argumentSet(
                        "a list that freezes",
                        new AnswerFault.Freezes(0.5),
                        "cannot reach the API server to list nodes: no data for 30 s"));
    }

    @ParameterizedTest
    @MethodSource("badAnswers")
    void anInvalidListIsMadeAgainAfterPausesAndNoPodIsEvictedMeanwhile(AnswerFault answerFault, String why) {
        fakeApiServer.faults(asking -> asking.watchedKind().equals(WatchedKind.NODES) && asking.verb() == Verb.LIST
                ? Optional.of(answerFault)
                : Optional.empty());
        fakeApiServer.watches(WatchedKind.NODES).forEach(watch -> watch.fails(410));

        operator.passSeconds(300);
        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        assertThat(operator.lost().get(View.NODES)).startsWith(why);
        assertThat(operator.evicted()).isEmpty();
        assertThat(fakeApiServer.asked(WatchedKind.NODES, Verb.LIST).size())
                .as("lists")
                .isBetween(5, 22);
        if (answerFault instanceof AnswerFault.Refuses(int code, var _, Duration retryAfter) && code == 429) {
            List<Duration> pauses = betweenLists(WatchedKind.NODES);
            assertThat(pauses.subList(1, pauses.size())).allMatch(it -> it.compareTo(retryAfter) >= 0);
        }

        fakeApiServer.well();
        assertThat(operator.untilItSees()).isLessThanOrEqualTo(Duration.ofSeconds(60));
        operator.seesAll();
        operator.passSeconds(61);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> badFrames() {
        byte[] frame = FakeObject.node("n2", Labels.none()).at(2_000).frame("MODIFIED");
        return Stream.of(
                argumentSet("a length above the limit", new byte[] {0x7f, -1, -1, -1}),
                argumentSet("a length of zero", new byte[] {0, 0, 0, 0}),
                argumentSet("a page of a proxy", "<html>Bad gateway</html>".getBytes(StandardCharsets.UTF_8)),
                argumentSet("a frame without an event", new byte[] {0, 0, 0, 2, 8, 1}),
                argumentSet("an invalid object", RecordedBodies.frame("ADDED", new byte[] {1, 2, 3, 4, 5})),
                argumentSet(
                        "an object without a name",
                        RecordedBodies.frame("ADDED", RecordedBodies.envelope("Node", message()))),
                argumentSet(
                        "an event of another type",
                        RecordedBodies.frame("RENAMED", RecordedBodies.envelope("Node", message()))),
                argumentSet(
                        "an older version",
                        FakeObject.node("n2", Labels.none()).at(3).frame("MODIFIED")),
                argumentSet(
                        "an ERROR with 410",
                        RecordedBodies.frame(
                                "ERROR",
                                RecordedBodies.envelope("Status", message().number(6, 410)))),
                argumentSet("a frame with one flipped bit", turned(frame)));
    }

    private static byte[] turned(byte[] frame) {
        byte[] turned = frame.clone();
        turned[4] ^= 0x10;
        return turned;
    }

    @ParameterizedTest
    @MethodSource("badFrames")
    void aFrameThatCannotBeReadLosesTheViewWhichIsListedAgainAtOnce(byte[] frame) {
        fakeApiServer.watches(WatchedKind.NODES).forEach(watch -> watch.spoils(frame));
        shopCluster.node("n1", "ssd", "a");
        operator.pass(Duration.ZERO);

        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        assertThat(operator.lost().get(View.NODES))
                .matches(why -> why.startsWith("a change could not be read: ") || why.equals(NEW_PAST));
        assertThat(operator.untilItSees()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        operator.seesAll();
        operator.passSeconds(600);
        assertThat(operator.evicted()).isEmpty();
    }

    @Test
    void aFrameThatIsCutLosesTheViewToo() {
        byte[] frame = FakeObject.node("n2", Labels.none()).at(2_000).frame("MODIFIED");
        fakeApiServer.watches(WatchedKind.NODES).forEach(watch -> watch.cuts(frame));
        operator.pass(Duration.ZERO);

        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        assertThat(operator.untilItSees()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        operator.seesAll();
    }

    @Test
    void aWatchWhoseTimeIsOverIsOpenedAgainAndNothingElseIsAsked() {
        // The feed requests each watch for five to ten minutes.
        for (int second = 0; second < 660; second += 20) {
            shopCluster.namespace("lake", "team", "none");
            operator.passSeconds(20);
        }

        for (WatchedKind watchedKind : FakeServerState.KINDS) {
            assertThat(fakeApiServer.asked(watchedKind, Verb.WATCH)).hasSizeBetween(2, 3);
            assertThat(fakeApiServer.asked(watchedKind, Verb.NEWEST)).isEmpty();
            assertThat(fakeApiServer.asked(watchedKind, Verb.LIST)).hasSize(1);
        }
        operator.seesAll();
    }

    @Test
    void aWatchThatIsGivenUpForAnotherReasonThan410GoesOnWhereItWas() {
        fakeApiServer.watches().forEach(watch -> watch.fails(500));
        operator.passSeconds(60);

        assertThat(operator.lost()).isEmpty();
        assertThat(FakeServerState.KINDS)
                .allMatch(watchedKind ->
                        fakeApiServer.asked(watchedKind, Verb.LIST).size() == 1);
        operator.passSeconds(1);
        assertThat(operator.evicted()).containsExactly("web-1");
        operator.seesAll();
    }
}
