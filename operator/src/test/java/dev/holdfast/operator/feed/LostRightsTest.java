package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.feed.FakeApiServer.Verb;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of RBAC rights and tokens that are revoked and granted again. {@link EvictionJudge} checks every instant. */
class LostRightsTest {
    private static final Set<Verb> LISTS = EnumSet.of(Verb.LIST, Verb.NEWEST);
    private static final Set<Verb> WATCHES = EnumSet.of(Verb.WATCH);
    private static final Set<Verb> ALL = EnumSet.of(Verb.LIST, Verb.NEWEST, Verb.WATCH);

    private final SimulatedTime time = new SimulatedTime(1);
    private final FakeApiServer fakeApiServer = new FakeApiServer(time, 100);
    private final ShopCluster shopCluster = new ShopCluster(time, fakeApiServer.state);
    private final FeedHarness operator = new FeedHarness(time, fakeApiServer, shopCluster);

    @BeforeEach
    void begin() {
        shopCluster.node("n1", "ssd", "a");
        shopCluster.pod("shop", "web-1", "n1", "web");
        operator.start();
        shopCluster.node("n1", "hdd", "a");
        operator.passSeconds(20);
    }

    @AfterEach
    void close() {
        operator.close();
    }

    static Stream<Arguments> refusals() {
        return FakeServerState.KINDS.stream().flatMap(LostRightsTest::refusals);
    }

    private static Stream<Arguments> refusals(WatchedKind watchedKind) {
        String account = "User \"system:serviceaccount:hf:holdfast\"";
        AnswerFault.Refuses forbidden = AnswerFault.Refuses.with(403, account + " cannot do that");
        AnswerFault.Refuses unknown = AnswerFault.Refuses.with(401, "Unauthorized");
        AnswerFault.Refuses notFound = AnswerFault.Refuses.with(404, "not found");
        String list = " to list " + watchedKind;
        String watch = " to watch " + watchedKind;
        String missing = " is missing: grant it to " + account;
        String credentials = "the API server does not accept our credentials (401)";
        return Stream.of(
                argumentSet("the right" + list, watchedKind, LISTS, forbidden, "the right" + list + missing),
                argumentSet("the right" + watch, watchedKind, WATCHES, forbidden, "the right" + watch + missing),
                argumentSet("the token, for lists of " + watchedKind, watchedKind, LISTS, unknown, credentials + list),
                argumentSet(
                        "the token, for watches of " + watchedKind, watchedKind, WATCHES, unknown, credentials + watch),
                argumentSet("the token, for all of " + watchedKind, watchedKind, ALL, unknown, credentials + list),
                argumentSet(
                        "the kind " + watchedKind,
                        watchedKind,
                        ALL,
                        notFound,
                        "the API server does not serve " + watchedKind));
    }

    @ParameterizedTest(name = "taken away: {argumentSetName}")
    @MethodSource("refusals")
    void whatIsTakenAwayIsNamedAndUntilItIsGivenBackNoPodIsEvicted(
            WatchedKind watchedKind, Set<Verb> verbs, AnswerFault.Refuses fault, String why) {
        fakeApiServer.faults(asking -> asking.watchedKind().equals(watchedKind) && verbs.contains(asking.verb())
                ? Optional.of(fault)
                : Optional.empty());
        fakeApiServer.watches(watchedKind).forEach(watch -> watch.breaks("reset"));

        // The view is lost at once, and stays lost.
        operator.pass(Duration.ZERO);
        for (int seconds = 0; seconds < 300; seconds += 5) {
            assertThat(operator.lost()).containsOnlyKeys(watchedKind.view()).containsEntry(watchedKind.view(), why);
            operator.passSeconds(5);
        }
        assertThat(operator.evicted()).isEmpty();
        assertThat(operator.history())
                .as("not even for a moment")
                .filteredOn(it -> it.endsWith("sees " + watchedKind.view()))
                .hasSize(1);

        fakeApiServer.well();
        assertThat(operator.untilItSees().toSeconds()).isLessThanOrEqualTo(30);
        operator.passSeconds(62);
        assertThat(operator.evicted()).containsExactly("web-1");
        operator.seesAll();
    }

    @ParameterizedTest(name = "of {0}")
    @MethodSource("watchedKinds")
    void aWatchThatWasBegunBeforeGoesOnUntilItEnds(WatchedKind watchedKind) {
        fakeApiServer.faults(asking -> asking.watchedKind().equals(watchedKind) && asking.verb() != Verb.READ
                ? Optional.of(AnswerFault.Refuses.with(403, "no"))
                : Optional.empty());

        operator.passSeconds(42);
        assertThat(operator.evicted()).containsExactly("web-1");
        operator.passSeconds(600);
        assertThat(operator.lost()).containsOnlyKeys(watchedKind.view());
        assertThat(operator.lost().get(watchedKind.view()))
                .startsWith("the right to list " + watchedKind + " is missing");
    }

    static Stream<WatchedKind> watchedKinds() {
        return FakeServerState.KINDS.stream();
    }
}
