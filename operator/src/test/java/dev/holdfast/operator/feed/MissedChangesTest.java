package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.feed.FakeApiServer.Verb;
import dev.holdfast.policies.engine.protocol.View;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of missed changes, deleted objects and restored backups: time in which a view was lost must never count as
 * forgiveness.
 */
class MissedChangesTest {
    private static final String OLDER =
            "the API server shows an older state than before, as after the restore of a backup";

    private final SimulatedTime time = new SimulatedTime(1);
    private final FakeApiServer fakeApiServer = new FakeApiServer(time, 100);
    private final ShopCluster shopCluster = new ShopCluster(time, fakeApiServer.state);
    private FeedHarness operator = new FeedHarness(time, fakeApiServer, shopCluster);

    @BeforeEach
    void begin() {
        shopCluster.node("n1", "ssd", "a");
        shopCluster.node("n2", "ssd", "a");
        shopCluster.pod("shop", "web-1", "n1", "web");
        operator.start();
    }

    @AfterEach
    void close() {
        operator.close();
    }

    private FeedHarness restarted() {
        operator.close();
        fakeApiServer.anotherReader();
        operator = new FeedHarness(time, fakeApiServer, shopCluster).start();
        return operator;
    }

    /** Makes changes of every kind, several times. */
    private void changes(int times) {
        for (int i = 0; i < times; i++) {
            shopCluster.pod("shop", "other", "n2", "other-" + i);
            shopCluster.namespace("lake", "team", "none");
            shopCluster.node("n2", "ssd", "a");
        }
    }

    @Test
    void aRestartBeginsEveryWindowFromZero() {
        shopCluster.node("n1", "hdd", "a");
        operator.passSeconds(50);
        restarted();

        operator.passSeconds(60);
        assertThat(operator.evicted()).isEmpty();
        operator.passSeconds(1);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void afterARestartOnWhatIsNoMoreNoPodIsEvicted() {
        shopCluster.node("n1", "hdd", "a");
        operator.passSeconds(50);
        operator.close();
        shopCluster.node("n1", "ssd", "a");
        restarted().passSeconds(600);

        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    @Test
    void whatHealedAndBrokeAgainInSecondsThatNoWatchSawCountsWithoutThem() {
        shopCluster.node("n1", "hdd", "a");
        operator.passSeconds(30);
        changes(1);
        fakeApiServer.resets();
        shopCluster.node("n1", "ssd", "a");
        shopCluster.node("n1", "hdd", "a");
        fakeApiServer.state.forget();

        operator.passSeconds(30);
        assertThat(operator.evicted())
                .as("evictions before the blind period is made up for")
                .isEmpty();
        operator.passSeconds(2);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void whatHealedAndBrokeAgainInATimeThatNoWatchSawBeginsFromZero() {
        shopCluster.node("n1", "hdd", "a");
        operator.passSeconds(30);
        changes(1);
        operator.pass(Duration.ZERO);
        fakeApiServer.faults(new AnswerFault.Down());
        fakeApiServer.resets();
        shopCluster.node("n1", "ssd", "a");
        operator.passSeconds(10);
        shopCluster.node("n1", "hdd", "a");
        fakeApiServer.state.forget();
        fakeApiServer.well();
        operator.untilItSees();

        operator.passSeconds(59);
        assertThat(operator.evicted()).isEmpty();
        operator.passSeconds(2);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void whatHealedAndBrokeAgainIsSeenByAWatchThatGoesOnWhereItWas() {
        shopCluster.node("n1", "hdd", "a");
        operator.passSeconds(30);
        fakeApiServer.watches(WatchedKind.NODES).forEach(watch -> watch.breaks("reset"));
        shopCluster.node("n1", "ssd", "a");
        shopCluster.node("n1", "hdd", "a");

        operator.passSeconds(60);
        assertThat(operator.evicted())
                .as("evictions 30 s after the violation would have been due")
                .isEmpty();
        assertThat(fakeApiServer.asked(WatchedKind.NODES, Verb.LIST)).hasSize(1);
        operator.passSeconds(1);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void changesThatAreToldTwiceChangeNothing() {
        shopCluster.node("n1", "hdd", "a");
        changes(2);
        operator.pass(Duration.ZERO);
        int facts = operator.facts();
        assertThat(facts).isPositive();
        for (FakeWatch watch : fakeApiServer.watches()) {
            fakeApiServer
                    .state
                    .since(watch.watchedKind(), fakeApiServer.state.version() - 1)
                    .orElseThrow()
                    .forEach(watch::changed);
        }

        operator.passSeconds(30);
        assertThat(operator.facts()).isEqualTo(facts);
        assertThat(operator.lost()).isEmpty();
        operator.passSeconds(31);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void nodesThatAreToldTenSecondsAfterTheirPodsEvictNoPodEarlier() {
        fakeApiServer.watches(WatchedKind.NODES).forEach(watch -> fakeApiServer.lags(watch, Duration.ofSeconds(10)));
        shopCluster.node("n3", "hdd", "a");
        shopCluster.pod("shop", "web-3", "n3", "web");

        operator.passSeconds(70);
        assertThat(operator.evicted()).isEmpty();
        operator.passSeconds(1);
        assertThat(operator.evicted()).containsExactly("web-3");
        operator.passSeconds(20);
        operator.seesAll();
    }

    static Stream<Arguments> restarts() {
        return Stream.of(
                argumentSet("its connections break", true, 0),
                argumentSet("the API server is down for a minute", true, 60),
                argumentSet("its connections stay open and silent", false, 0));
    }

    @ParameterizedTest(name = "a backup is restored to the API server, and {argumentSetName}")
    @MethodSource("restarts")
    void aRestoredBackupIsNoticedAndEveryWindowBeginsFromZero(boolean breaks, int away) {
        shopCluster.node("n1", "hdd", "a");
        FakeServerState.Backup backup = fakeApiServer.state.backup();
        operator.passSeconds(10);
        // Events arrive right before the fault, so that the blind period is short.
        changes(20);
        operator.pass(Duration.ZERO);
        fakeApiServer.restores(backup);
        if (breaks) {
            fakeApiServer.resets();
        }
        if (away > 0) {
            fakeApiServer.faults(new AnswerFault.Down());
            operator.passSeconds(away);
            fakeApiServer.well();
        }

        operator.passSeconds(breaks ? 31 : 105);
        operator.untilItSees();
        for (View view : List.of(View.PODS, View.NODES, View.NAMESPACES)) {
            assertThat(operator.history())
                    .anyMatch(it -> it.contains("loses " + view + ": " + OLDER + ": every forgiveness"));
        }
        operator.seesAll();
        long restarted = Duration.between(SimulatedTime.START, time.instant()).toSeconds();
        operator.passSeconds(62);
        assertThat(operator.evicted()).containsExactly("web-1");
        assertThat(operator.history())
                .filteredOn(it -> it.contains(" evicts "))
                .singleElement()
                .satisfies(it -> assertThat(Duration.parse(it.substring(0, it.indexOf(' '))))
                        .isGreaterThan(Duration.ofSeconds(breaks ? 70 : restarted - 61)));

        // From here on the new versions exceed those that were lost.
        changes(40);
        operator.passSeconds(60);
        operator.seesAll();
        assertThat(operator.lost()).isEmpty();
    }

    @Test
    void anObjectThatHasTheSameVersionAsBeforeTheRestoreAndIsAnotherIsToldAgain() {
        shopCluster.pod("shop", "twice", "n2", "before");
        FakeServerState.Backup backup = fakeApiServer.state.backup();
        shopCluster.pod("shop", "twice", "n2", "lost");
        changes(20);
        operator.passSeconds(10);
        fakeApiServer.restores(backup);
        shopCluster.pod("shop", "twice", "n2", "since");
        fakeApiServer.resets();

        operator.passSeconds(31);

        operator.seesAll();
    }

    @Test
    void aBackupIsNoticedByTheListAfterASilenceThoughMoreWasWrittenSinceThanWasLost() {
        FakeServerState.Backup backup = fakeApiServer.state.backup();
        changes(20);
        operator.passSeconds(10);
        fakeApiServer.restores(backup);
        for (int i = 0; i < 100; i++) {
            shopCluster.namespace("lake", "team", "team-" + i);
        }
        assertThat(operator.lost()).isEmpty();

        operator.passSeconds(105);

        assertThat(operator.history())
                .anyMatch(it -> it.contains("loses " + View.NODES + ": " + OLDER + ": every forgiveness"));
        operator.untilItSees();
        operator.seesAll();
    }

    @Test
    void whatOnlyTheLostStateHadBrokenIsHeldBeforeTheRestoreIsNoticedAndEndsWithIt() {
        FakeServerState.Backup backup = fakeApiServer.state.backup();
        changes(20);
        shopCluster.node("n1", "hdd", "a");
        operator.passSeconds(30);
        fakeApiServer.restores(backup);

        operator.passSeconds(600);

        assertThat(operator.evicted()).isEmpty();
        assertThat(operator.history()).anyMatch(it -> it.endsWith("holds web-1 ViewBehind"));
        assertThat(operator.history()).anyMatch(it -> it.endsWith("ends web-1 ssd healed"));
        operator.seesAll();
    }

    @Test
    void aBackupThatIsRestoredJustAsAWatchEndsOnTimeIsNoticedToo() {
        changes(1);
        operator.passSeconds(240);
        FakeServerState.Backup backup = fakeApiServer.state.backup();
        changes(20);
        // Each watch times out between 300 and 600 s.
        while (fakeApiServer.watches().size() == 3
                && fakeApiServer.asked(WatchedKind.NODES, Verb.WATCH).size() == 1) {
            operator.pass(Duration.ofMillis(500));
            changes(1);
        }
        fakeApiServer.restores(backup);
        fakeApiServer.resets();
        operator.passSeconds(5);

        operator.seesAll();
    }
}
