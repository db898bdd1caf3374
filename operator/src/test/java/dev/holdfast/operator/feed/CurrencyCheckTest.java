package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.FakeApiServer.Verb;
import dev.holdfast.policies.model.Labels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests evictions whose violation has ended, or may have ended, by a change that the watch has not delivered. The rule
 * needs a cache in the zone of the pod, and is due after five minutes. Zone b has none at first.
 */
class CurrencyCheckTest {
    private final SimulatedTime time = new SimulatedTime(1);
    private final FakeApiServer fakeApiServer = new FakeApiServer(time, 100);
    private final ShopCluster shopCluster = new ShopCluster(time, fakeApiServer.state);
    private final FeedHarness operator = new FeedHarness(time, fakeApiServer, shopCluster);

    @BeforeEach
    void begin() {
        shopCluster.node("n1", "ssd", "b");
        shopCluster.node("n2", "ssd", "a");
        shopCluster.pod("shop", "cache-2", "n2", "cache");
        shopCluster.pod("shop", "web-1", "n1", "web");
        operator.start();
    }

    @AfterEach
    void close() {
        operator.close();
    }

    private void silences(WatchedKind watchedKind) {
        fakeApiServer.watches(watchedKind).forEach(FakeWatch::silences);
    }

    private void caches(String node) {
        shopCluster.pod("shop", "cache-1", node, "cache");
    }

    /** {@return the reasons of the holds of web-1, each once} */
    private List<String> holds() {
        return operator.history().stream()
                .filter(it -> it.contains(" holds web-1 "))
                .map(it -> it.replaceAll(".* ", ""))
                .distinct()
                .toList();
    }

    static Stream<Arguments> missed() {
        return Stream.of(
                row("a partner that came, on a watch that is silent", "ViewBehind", test -> {
                    test.silences(WatchedKind.PODS);
                    test.caches("n1");
                }),
                row("a partner that came, while the second watch is silent too", "ViewBehind", test -> {
                    test.silences(WatchedKind.PODS);
                    test.caches("n1");
                    test.fakeApiServer.faults(asking ->
                            asking.verb() == Verb.WATCH ? Optional.of(new AnswerFault.Freezes(0)) : Optional.empty());
                }),
                row("a partner whose node came to the zone, on a watch that is silent", "ViewBehind", test -> {
                    test.silences(WatchedKind.NODES);
                    test.shopCluster.node("n2", "ssd", "b");
                }),
                row("a partner that came, if the newest version cannot be read", "ApiError", test -> {
                    test.silences(WatchedKind.PODS);
                    test.caches("n1");
                    test.fakeApiServer.faults(asking ->
                            asking.verb() == Verb.NEWEST ? Optional.of(new AnswerFault.Down()) : Optional.empty());
                }));
    }

    static Stream<Arguments> wrongAnswers() {
        return Stream.of(
                argumentSet(
                        "the page of a proxy",
                        body("<html>Sign in</html>".getBytes(StandardCharsets.UTF_8)),
                        "a second watch of pods could not be read: byte 0: a frame of"),
                argumentSet(
                        "an object of another kind",
                        body(FakeObject.node("n3", Labels.none()).at(5_000).frame("ADDED")),
                        "a second watch of pods could not be read: byte 15: expected a Pod, but this is of kind"
                                + " \"Node\""),
                argumentSet(
                        "a frame that is cut",
                        body(new byte[] {0, 0, 0, 9, 1}),
                        "a second watch of pods could not be read: "),
                argumentSet(
                        "nothing",
                        body(new byte[0]),
                        "a second watch of pods did not show the newest version: it ended"),
                argumentSet(
                        "an older version, of another object",
                        body(FakeObject.pod("shop", "other", "u-9", "n2", Labels.none())
                                .at(1)
                                .frame("MODIFIED")),
                        "a second watch of pods could not be read: byte 35: a change of version 1 after all changes up"
                                + " to "),
                argumentSet(
                        "a newer version, of another object",
                        body(FakeObject.pod("shop", "other", "u-9", "n2", Labels.none())
                                .at(5_000)
                                .frame("MODIFIED")),
                        "a change of pods has not been delivered by the watch yet"),
                argumentSet(
                        "an error",
                        body(RecordedBodies.frame(
                                "ERROR",
                                RecordedBodies.envelope(
                                        "Status", message().text(4, "Expired").number(6, 410)))),
                        "a second watch of pods did not show the newest version: it ended with Failed[code=410,"));
    }

    private static AnswerFault body(byte[] bytes) {
        return new AnswerFault.Sends(() -> bytes);
    }

    @ParameterizedTest
    @MethodSource("wrongAnswers")
    void aSecondWatchThatIsAnsweredWronglyHoldsThePodByNameAndHarmsNoFeed(AnswerFault fault, String why) {
        operator.passSeconds(290);
        // The store has a newer version than what the watch of pods has delivered, so that the check must ask for it.
        fakeApiServer.watches(WatchedKind.PODS).forEach(watch -> fakeApiServer.lags(watch, Duration.ofSeconds(15)));
        shopCluster.node("n4", "hdd", "a");
        fakeApiServer.faults(
                asking -> asking.verb() == Verb.WATCH && asking.watchedKind().equals(WatchedKind.PODS)
                        ? Optional.of(fault)
                        : Optional.empty());

        operator.passSeconds(20);
        assertThat(operator.evicted()).isEmpty();
        assertThat(holds()).containsExactly("ViewBehind");
        assertThat(operator.heldBecause()).allMatch(it -> it.contains(why), "contains " + why);
        assertThat(operator.lost()).isEmpty();

        fakeApiServer.well();
        operator.passSeconds(120);
        operator.seesAll();
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void aSecondWatchThatContradictsItselfProvesNothingAlsoIfAllKindsHaveShownTheNewestVersion() {
        operator.passSeconds(290);
        fakeApiServer.watches().forEach(watch -> fakeApiServer.lags(watch, Duration.ofSeconds(15)));
        shopCluster.node("n4", "hdd", "a");
        byte[] otherKind = FakeObject.node("n3", Labels.none()).at(5_000).frame("ADDED");
        fakeApiServer.faults(asking -> {
            byte[] bookmark = RecordedBodies.frame(
                    "BOOKMARK",
                    RecordedBodies.envelope(
                            FakeObject.kind(asking.watchedKind()),
                            message().part(1, message().text(6, "5000"))));
            boolean ofPods = asking.watchedKind().equals(WatchedKind.PODS);
            return asking.verb() == Verb.WATCH
                    ? Optional.of(body(ofPods ? RecordedBodies.joined(bookmark, otherKind) : bookmark))
                    : Optional.empty();
        });
        operator.passSeconds(20);

        assertThat(operator.evicted()).isEmpty();
        assertThat(holds()).containsExactly("ViewBehind");
    }

    @Test
    void aSecondWatchThatBreaksAfterItHasShownTheNewestVersionStillCounts() {
        operator.passSeconds(290);
        fakeApiServer.watches(WatchedKind.PODS).forEach(watch -> fakeApiServer.lags(watch, Duration.ofSeconds(15)));
        shopCluster.node("n4", "hdd", "a");
        fakeApiServer.faults(asking ->
                asking.verb() == Verb.WATCH && asking.watchedKind().equals(WatchedKind.PODS)
                        ? Optional.of(body(RecordedBodies.frame(
                                "BOOKMARK",
                                RecordedBodies.envelope(
                                        "Pod", message().part(1, message().text(6, "5000"))))))
                        : Optional.empty());
        operator.passSeconds(20);

        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void theCheckEndsAfterFourSecondsHoweverSlowTheApiServerIs() {
        operator.passSeconds(290);
        Duration slow = Duration.ofSeconds(3);
        fakeApiServer.faults(
                asking -> asking.verb() == Verb.NEWEST ? Optional.of(new AnswerFault.Delays(slow)) : Optional.empty());
        operator.passSeconds(30);

        assertThat(operator.checks()).isNotEmpty().allMatch(it -> it.compareTo(Duration.ofMillis(4_020)) <= 0);
        assertThat(fakeApiServer.asked(WatchedKind.NODES, Verb.NEWEST).getLast().at())
                .as("all kinds are asked at the same time")
                .isEqualTo(fakeApiServer
                        .asked(WatchedKind.PODS, Verb.NEWEST)
                        .getLast()
                        .at());
    }

    private static Arguments row(String name, String reason, Consumer<CurrencyCheckTest> change) {
        return argumentSet(name, reason, change);
    }

    @ParameterizedTest
    @MethodSource("missed")
    void aPodIsHeldWhileTheFeedMayHaveMissedWhatHealedItsRule(String reason, Consumer<CurrencyCheckTest> change) {
        operator.passSeconds(290);
        change.accept(this);
        operator.passSeconds(30);

        assertThat(operator.evicted()).isEmpty();
        assertThat(holds()).containsExactly(reason);
    }

    @Test
    void aChangeThatIsOnItsWayIsWaitedFor() {
        operator.passSeconds(290);
        fakeApiServer.watches(WatchedKind.PODS).forEach(watch -> fakeApiServer.lags(watch, Duration.ofSeconds(3)));
        operator.pass(Duration.ofMillis(9_500));
        caches("n1");
        operator.passSeconds(30);

        assertThat(operator.evicted()).isEmpty();
        assertThat(holds()).isEmpty();
    }

    @Test
    void aNamespaceThatChangedUnseenHoldsThePodThatItsPodsKeepAway() {
        shopCluster.namespace("lake", "team", "data");
        shopCluster.pod("shop", "web-2", "n2", "web");
        shopCluster.pod("lake", "lake-1", "n2", "lake");
        operator.passSeconds(50);
        silences(WatchedKind.NAMESPACES);
        shopCluster.namespace("lake", "team", "none");
        operator.passSeconds(30);

        assertThat(operator.evicted()).isEmpty();
        assertThat(operator.history()).anyMatch(it -> it.endsWith(" holds web-2 ViewBehind"));
    }

    @Test
    void anApiServerThatWentBackInTimeHoldsThePod() {
        caches("n1");
        operator.passSeconds(10);
        FakeServerState.Backup backup = fakeApiServer.state.backup();
        shopCluster.podGoes("shop", "cache-1");
        operator.passSeconds(290);
        fakeApiServer.restores(backup);
        operator.passSeconds(30);

        assertThat(operator.evicted()).isEmpty();
        assertThat(holds()).containsExactly("ViewBehind");
    }

    @Test
    void aPodGoesASecondAfterItIsDueIfNothingWasMissedAlthoughAllWatchesAreSilent() {
        operator.passSeconds(289);
        // The version of the store is newer than what the watches of nodes and namespaces have delivered.
        shopCluster.pod("shop", "other", "n2", "other");
        operator.passSeconds(1);
        fakeApiServer.watches().forEach(FakeWatch::silences);
        operator.passSeconds(11);
        assertThat(operator.evicted()).isEmpty();

        operator.passSeconds(1);

        assertThat(operator.evicted()).containsExactly("web-1");
        assertThat(holds()).isEmpty();
    }
}
