package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.Bodies;
import dev.holdfast.operator.feed.Peer.Verb;
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

/** What connections and answers may do, seen from the truth: {@link EvictionJudge} judges at every instant. */
class PeerFaultsTest {
    private static final String NEW_PAST = "the API server has forgotten the changes since the last one seen";

    private final PlayedTime time = new PlayedTime(1);
    private final Peer peer = new Peer(time, 100);
    private final Shop shop = new Shop(time, peer.state);
    private final PlayedOperator operator = new PlayedOperator(time, peer, shop);

    @BeforeEach
    void begin() {
        shop.node("n1", "ssd", "a");
        shop.node("n2", "ssd", "a");
        shop.pod("shop", "web-1", "n1", "web");
        operator.start();
        // After this there are bookmarks of every kind.
        shop.node("n1", "hdd", "a");
        shop.pod("shop", "other", "n2", "none");
        shop.namespace("lake", "team", "none");
    }

    @AfterEach
    void close() {
        operator.close();
    }

    private List<Duration> betweenLists(Kind kind) {
        List<Instant> lists =
                peer.asked(kind, Verb.LIST).stream().map(Peer.Asking::at).toList();
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
            peer.refusesForgotten();
        }
        peer.listsTake(Duration.ofMillis(300));
        for (int second = 0; second < 300; second++) {
            peer.watches().forEach(watch -> expires(watch, frame));
            shop.node("n2", second % 2 == 0 ? "hdd" : "ssd", "a");
            peer.state.forget();
            operator.passSeconds(1);
        }
        assertThat(operator.evicted()).as("in times of blindness").isEmpty();
        assertThat(peer.mostListsAtOnce()).isEqualTo(1);
        for (Kind kind : PeerState.KINDS) {
            List<Duration> pauses = betweenLists(kind);
            assertThat(pauses).as("lists of %s", kind).hasSizeBetween(10, 25);
            assertThat(pauses.getFirst()).isLessThan(Duration.ofSeconds(3));
            assertThat(pauses.subList(7, pauses.size())).allMatch(it -> it.compareTo(Duration.ofSeconds(20)) >= 0);
        }

        assertThat(operator.untilItSees()).isLessThan(Duration.ofSeconds(31));
        operator.seesAll();
        operator.passSeconds(65);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    private static void expires(PeerWatch watch, boolean frame) {
        if (frame) {
            watch.fails(410);
        } else {
            watch.ends();
        }
    }

    static Stream<Kind> kinds() {
        return PeerState.KINDS.stream();
    }

    @ParameterizedTest(name = "of {0}")
    @MethodSource("kinds")
    void aSilentWatchIsCheckedByAListAndOpenedAnewAndNothingIsMissed(Kind kind) {
        peer.watches(kind).forEach(PeerWatch::silences);
        Instant silent = time.instant();
        shop.node("n1", "ssd", "a");
        shop.pod("shop", "other", "n2", "other");
        shop.namespace("lake", "team", "data");

        operator.passSeconds(95);
        assertThat(operator.lost()).containsOnlyKeys(kind.view());
        // Nothing more changes, and so another list shows it.
        operator.passSeconds(95);

        Peer.Asking opened = peer.asked(kind, Verb.WATCH).get(1);
        assertThat(Duration.between(silent, opened.at())).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(95));
        assertThat(peer.asked(kind, Verb.LIST)).as("lists of %s", kind).hasSize(3);
        assertThat(operator.history()).anyMatch(it -> it.contains("the watch was silent for 90 s"));
        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    @Test
    void whatHealedWhileTheWatchWasSilentIsHeldUntilItIsSeenAndNeverEvicted() {
        operator.passSeconds(5);
        peer.watches(Kind.NODES).forEach(PeerWatch::silences);
        shop.node("n1", "ssd", "a");

        operator.passSeconds(600);

        assertThat(operator.history()).anyMatch(it -> it.endsWith("holds web-1 ViewBehind"));
        assertThat(operator.history()).anyMatch(it -> it.endsWith("ends web-1 ssd healed"));
        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    /** As by a proxy that holds back what it is sent, and closes what it thinks is idle. */
    @ParameterizedTest(name = "of {0}")
    @MethodSource("kinds")
    void aSilentWatchIsNoticedEvenIfSomebodyClosesItEachMinute(Kind kind) {
        operator.passSeconds(5);
        peer.watches(kind).forEach(PeerWatch::silences);
        peer.faults(asking -> asking.kind().equals(kind) && asking.verb() == Verb.WATCH
                ? Optional.of(new Fault.Freezes(0))
                : Optional.empty());
        shop.node("n1", "ssd", "a");
        shop.pod("shop", "other", "n2", "other");
        shop.namespace("lake", "team", "data");

        for (int minute = 1; minute <= 10; minute++) {
            operator.passSeconds(60);
            peer.watches(kind).forEach(watch -> watch.breaks("idle"));
        }

        assertThat(operator.history()).anyMatch(it -> it.matches("PT1M\\d+S loses .* the watch was silent for 90 s.*"));
        assertThat(operator.evicted()).isEmpty();
        peer.well();
        peer.watches(kind).forEach(watch -> watch.breaks("idle"));
        operator.passSeconds(190);
        operator.seesAll();
    }

    @Test
    void whatAListAfterASilenceHasToldBeforeItBreaksShowsThatTheWatchIsMute() {
        peer.watches(Kind.NODES).forEach(PeerWatch::silences);
        shop.node("n1", "ssd", "a");
        int before = peer.asked(Kind.NODES, Verb.LIST).size();
        peer.faults(asking -> switch (asking.verb()) {
            case WATCH -> onNodes(asking, new Fault.Freezes(0));
            case LIST ->
                peer.asked(Kind.NODES, Verb.LIST).size() == before + 1
                        ? onNodes(asking, new Fault.Breaks(0.9))
                        : Optional.empty();
            case NEWEST, READ -> Optional.empty();
        });

        operator.passSeconds(96);
        for (int second = 0; second < 60; second++) {
            assertThat(operator.lost()).containsOnlyKeys(View.NODES);
            operator.passSeconds(1);
        }
        assertThat(peer.asked(Kind.NODES, Verb.LIST))
                .as("one that broke, and the next one")
                .hasSize(before + 2);
        peer.well();
        operator.passSeconds(190);
        operator.seesAll();
    }

    @Test
    void aMuteWatchIsNoMoreBelievedForAListThatBreaksBeforeItTellsAnything() {
        peer.watches(Kind.NODES).forEach(PeerWatch::silences);
        shop.node("n1", "ssd", "a");
        int before = peer.asked(Kind.NODES, Verb.LIST).size();
        peer.faults(asking -> switch (asking.verb()) {
            case WATCH -> onNodes(asking, new Fault.Freezes(0));
            case LIST ->
                peer.asked(Kind.NODES, Verb.LIST).size() == before + 2
                        ? onNodes(asking, new Fault.Breaks(0))
                        : Optional.empty();
            case NEWEST, READ -> Optional.empty();
        });

        operator.passSeconds(96);
        for (int second = 0; second < 150; second++) {
            assertThat(operator.lost()).containsOnlyKeys(View.NODES);
            operator.passSeconds(1);
        }
        assertThat(peer.asked(Kind.NODES, Verb.LIST))
                .as("one more that broke, and the next")
                .hasSize(before + 3);
        peer.well();
        operator.passSeconds(190);
        operator.seesAll();
    }

    private static Optional<Fault> onNodes(Peer.Asking asking, Fault fault) {
        return asking.kind().equals(Kind.NODES) ? Optional.of(fault) : Optional.empty();
    }

    @ParameterizedTest(name = "of a watch that was {0}")
    @ValueSource(strings = {"silent", "forgotten"})
    void afterAListThatTakesTooLongAViewIsBackOnlyOnceItsWatchSpeaks(String watch) {
        boolean silent = watch.equals("silent");
        peer.watches(Kind.NODES).forEach(it -> {
            if (silent) {
                it.silences();
            } else {
                it.fails(410);
            }
        });
        peer.faults(asking -> asking.verb() == Verb.LIST
                ? onNodes(asking, new Fault.Trickles(Duration.ofSeconds(150)))
                : Optional.empty());
        operator.passSeconds(100);
        peer.well();
        Instant ends = peer.asked(Kind.NODES, Verb.LIST).getLast().at().plusSeconds(150);
        while (time.instant().isBefore(ends)) {
            operator.passSeconds(1);
        }

        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        // Something else, without which there would be no bookmark of nodes.
        shop.namespace("lake", "team", "data");
        assertThat(operator.untilItSees())
                .as("to the first bookmark")
                .isBetween(Peer.BOOKMARKS_EACH.minusSeconds(2), Peer.BOOKMARKS_EACH);
        operator.seesAll();
    }

    @Test
    void aListAfterASilenceThatTakesTooLongLosesTheViewThoughItTellsNothingNew() {
        operator.passSeconds(5);
        shop.node("n1", "ssd", "a");
        operator.passSeconds(5);
        peer.watches(Kind.NODES).forEach(PeerWatch::silences);
        peer.faults(asking -> asking.kind().equals(Kind.NODES) && asking.verb() == Verb.LIST
                ? Optional.of(new Fault.Trickles(Duration.ofSeconds(400)))
                : Optional.empty());

        operator.passSeconds(150);
        assertThat(operator.lost())
                .containsEntry(
                        View.NODES,
                        "whether anything has changed is unknown for 135 s: the API server, or what is on the way to"
                                + " it, answers too slowly");

        peer.well();
        operator.passSeconds(300);
        assertThat(operator.untilItSees()).isLessThan(Duration.ofMinutes(3));
        operator.seesAll();
    }

    @ParameterizedTest(name = "of code {0}")
    @ValueSource(ints = {410, 500})
    void aViewThatAMuteWatchHasLostIsNotBelievedForAnErrorFrame(int code) {
        peer.watches(Kind.NODES).forEach(PeerWatch::silences);
        shop.node("n1", "ssd", "a");
        operator.passSeconds(95);
        assertThat(operator.lost()).containsOnlyKeys(View.NODES);

        peer.faults(asking -> asking.kind().equals(Kind.NODES) && asking.verb() == Verb.WATCH
                ? Optional.of(new Fault.Freezes(0))
                : Optional.empty());
        peer.watches(Kind.NODES).forEach(watch -> watch.fails(code));
        operator.passSeconds(60);

        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        peer.well();
        operator.passSeconds(190);
        operator.seesAll();
    }

    @ParameterizedTest(name = "of {0}")
    @MethodSource("kinds")
    void aSilentWatchWhoseServerIsSilentTooLosesTheView(Kind kind) {
        peer.watches(kind).forEach(PeerWatch::silences);
        peer.faults(asking -> asking.kind().equals(kind) && asking.verb() != Verb.READ
                ? Optional.of(new Fault.Mute())
                : Optional.empty());

        operator.passSeconds(59);
        shop.node("n1", "ssd", "a");
        operator.passSeconds(1);
        shop.node("n1", "hdd", "a");
        operator.passSeconds(90);

        assertThat(operator.lost())
                .containsEntry(kind.view(), "cannot reach the API server to list " + kind + ": timeout");
        operator.passSeconds(600);
        assertThat(operator.evicted()).as("while it is lost").isEmpty();
        peer.well();
        assertThat(operator.untilItSees()).isLessThan(Duration.ofSeconds(61));
        operator.passSeconds(61);
        assertThat(operator.evicted()).containsExactly("web-1");
        operator.seesAll();
    }

    static Stream<Arguments> outages() {
        return Stream.of(
                argumentSet("nobody listens for a second", new Fault.Down(), 1),
                argumentSet("nobody listens for 30 s", new Fault.Down(), 30),
                argumentSet("nobody listens for 10 min", new Fault.Down(), 600),
                argumentSet("nobody answers for a second", new Fault.Mute(), 1),
                argumentSet("nobody answers for 30 s", new Fault.Mute(), 30),
                argumentSet("nobody answers for 10 min", new Fault.Mute(), 600));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void afterAnOutageEverythingIsSeenAgainSoonAndNothingWasEvictedMeanwhile(Fault fault, int seconds) {
        operator.passSeconds(30);
        peer.faults(fault);
        peer.resets();
        operator.passSeconds(seconds);
        assertThat(operator.evicted()).isEmpty();
        shop.pod("shop", "other", "n2", "changed");
        peer.well();

        // Until nobody waits any more for the answer of a request to watch; then for that of a list, and for a pause.
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
        // Of every kind something is heard right before.
        shop.node("n2", "ssd", "b");
        shop.pod("shop", "other", "n2", "changed");
        shop.namespace("lake", "team", "none");
        operator.passSeconds(1);
        peer.faults(new Fault.Down());
        peer.resets();
        operator.passSeconds(1);
        peer.well();

        operator.passSeconds(31);
        assertThat(operator.evicted())
                .as("after 62 s, at least 2 of them not seen")
                .isEmpty();
        operator.passSeconds(4);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> badAnswers() {
        return Stream.of(
                argumentSet(
                        "500",
                        Fault.Refuses.with(500, "etcd is slow"),
                        "the API server answered 500 to list nodes: etcd is slow"),
                argumentSet(
                        "503",
                        Fault.Refuses.with(503, "starting"),
                        "the API server answered 503 to list nodes: starting"),
                argumentSet(
                        "429",
                        new Fault.Refuses(429, "slower", Duration.ofSeconds(40)),
                        "the API server answered 429 to list nodes: slower"),
                argumentSet(
                        "a proxy's page",
                        new Fault.Page("<html>Sign in</html>"),
                        "cannot list nodes: the answer cannot be read: byte 0: this is no protobuf of an API server, it"
                                + " begins with \"<html>Sign in</html>\""),
                argumentSet("half a list", new Fault.Cut(0.5), "cannot list nodes: the answer cannot be read: byte "),
                argumentSet(
                        "a list that breaks off",
                        new Fault.Breaks(0.5),
                        "cannot reach the API server to list nodes: the connection broke: reset"),
                argumentSet(
                        "a list that freezes",
                        new Fault.Freezes(0.5),
                        "cannot reach the API server to list nodes: nothing came for 30 s"));
    }

    @ParameterizedTest
    @MethodSource("badAnswers")
    void aListThatIsNoneIsMadeAgainAfterPausesAndNobodyIsEvictedMeanwhile(Fault fault, String why) {
        peer.faults(asking ->
                asking.kind().equals(Kind.NODES) && asking.verb() == Verb.LIST ? Optional.of(fault) : Optional.empty());
        peer.watches(Kind.NODES).forEach(watch -> watch.fails(410));

        operator.passSeconds(300);
        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        assertThat(operator.lost().get(View.NODES)).startsWith(why);
        assertThat(operator.evicted()).isEmpty();
        assertThat(peer.asked(Kind.NODES, Verb.LIST).size()).as("lists").isBetween(5, 22);
        if (fault instanceof Fault.Refuses(int code, var _, Duration retryAfter) && code == 429) {
            List<Duration> pauses = betweenLists(Kind.NODES);
            assertThat(pauses.subList(1, pauses.size())).allMatch(it -> it.compareTo(retryAfter) >= 0);
        }

        peer.well();
        assertThat(operator.untilItSees()).isLessThanOrEqualTo(Duration.ofSeconds(60));
        operator.seesAll();
        operator.passSeconds(61);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> badFrames() {
        byte[] frame = PeerObject.node("n2", Labels.none()).at(2_000).frame("MODIFIED");
        return Stream.of(
                argumentSet("a length beyond all bounds", new byte[] {0x7f, -1, -1, -1}),
                argumentSet("a length of nothing", new byte[] {0, 0, 0, 0}),
                argumentSet("a page of a proxy", "<html>Bad gateway</html>".getBytes(StandardCharsets.UTF_8)),
                argumentSet("a frame that holds no event", new byte[] {0, 0, 0, 2, 8, 1}),
                argumentSet("an object that is none", Bodies.frame("ADDED", new byte[] {1, 2, 3, 4, 5})),
                argumentSet("an object without a name", Bodies.frame("ADDED", Bodies.envelope("Node", message()))),
                argumentSet("an event of another type", Bodies.frame("RENAMED", Bodies.envelope("Node", message()))),
                argumentSet(
                        "a version from before",
                        PeerObject.node("n2", Labels.none()).at(3).frame("MODIFIED")),
                argumentSet(
                        "an ERROR with 410",
                        Bodies.frame(
                                "ERROR", Bodies.envelope("Status", message().number(6, 410)))),
                argumentSet("a frame with one bit turned", turned(frame)));
    }

    private static byte[] turned(byte[] frame) {
        byte[] turned = frame.clone();
        turned[4] ^= 0x10;
        return turned;
    }

    @ParameterizedTest
    @MethodSource("badFrames")
    void aFrameThatCannotBeReadLosesTheViewWhichIsListedAgainAtOnce(byte[] frame) {
        peer.watches(Kind.NODES).forEach(watch -> watch.spoils(frame));
        shop.node("n1", "ssd", "a");
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
        byte[] frame = PeerObject.node("n2", Labels.none()).at(2_000).frame("MODIFIED");
        peer.watches(Kind.NODES).forEach(watch -> watch.cuts(frame));
        operator.pass(Duration.ZERO);

        assertThat(operator.lost()).containsOnlyKeys(View.NODES);
        assertThat(operator.untilItSees()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        operator.seesAll();
    }

    @Test
    void aWatchWhoseTimeIsOverIsOpenedAgainAndNothingElseIsAsked() {
        // Each is asked for to last from five to ten minutes.
        for (int second = 0; second < 660; second += 20) {
            shop.namespace("lake", "team", "none");
            operator.passSeconds(20);
        }

        for (Kind kind : PeerState.KINDS) {
            assertThat(peer.asked(kind, Verb.WATCH)).hasSizeBetween(2, 3);
            assertThat(peer.asked(kind, Verb.NEWEST)).isEmpty();
            assertThat(peer.asked(kind, Verb.LIST)).hasSize(1);
        }
        operator.seesAll();
    }

    @Test
    void aWatchThatIsGivenUpForAnotherReasonThan410GoesOnWhereItWas() {
        peer.watches().forEach(watch -> watch.fails(500));
        operator.passSeconds(60);

        assertThat(operator.lost()).isEmpty();
        assertThat(PeerState.KINDS).allMatch(kind -> peer.asked(kind, Verb.LIST).size() == 1);
        operator.passSeconds(1);
        assertThat(operator.evicted()).containsExactly("web-1");
        operator.seesAll();
    }
}
