package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.feed.Peer.Verb;
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

/** What was not seen, what is no more, and what must not be seen: no window counts what nobody saw. */
class PeerPastTest {
    private static final String OLDER =
            "the API server tells of an older state than before, as when a backup is restored";

    private final PlayedTime time = new PlayedTime(1);
    private final Peer peer = new Peer(time, 100);
    private final Shop shop = new Shop(time, peer.state);
    private PlayedOperator operator = new PlayedOperator(time, peer, shop);

    @BeforeEach
    void begin() {
        shop.node("n1", "ssd", "a");
        shop.node("n2", "ssd", "a");
        shop.pod("shop", "web-1", "n1", "web");
        operator.start();
    }

    @AfterEach
    void close() {
        operator.close();
    }

    private PlayedOperator restarted() {
        operator.close();
        peer.anotherReader();
        operator = new PlayedOperator(time, peer, shop).start();
        return operator;
    }

    /** Something of every kind is heard, and more than once. */
    private void changes(int times) {
        for (int i = 0; i < times; i++) {
            shop.pod("shop", "other", "n2", "other-" + i);
            shop.namespace("lake", "team", "none");
            shop.node("n2", "ssd", "a");
        }
    }

    @Test
    void aRestartBeginsEveryWindowAnew() {
        shop.node("n1", "hdd", "a");
        operator.passSeconds(50);
        restarted();

        operator.passSeconds(60);
        assertThat(operator.evicted()).isEmpty();
        operator.passSeconds(1);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void afterARestartOnWhatIsNoMoreNobodyIsEvicted() {
        shop.node("n1", "hdd", "a");
        operator.passSeconds(50);
        operator.close();
        shop.node("n1", "ssd", "a");
        restarted().passSeconds(600);

        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    @Test
    void whatHealedAndBrokeAgainInSecondsThatNobodySawCountsWithoutThem() {
        shop.node("n1", "hdd", "a");
        operator.passSeconds(30);
        changes(1);
        peer.resets();
        shop.node("n1", "ssd", "a");
        shop.node("n1", "hdd", "a");
        peer.state.forget();

        operator.passSeconds(30);
        assertThat(operator.evicted())
                .as("the time that was not seen is missing")
                .isEmpty();
        operator.passSeconds(2);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void whatHealedAndBrokeAgainInATimeThatNobodySawBeginsAnew() {
        shop.node("n1", "hdd", "a");
        operator.passSeconds(30);
        changes(1);
        operator.pass(Duration.ZERO);
        peer.faults(new Fault.Down());
        peer.resets();
        shop.node("n1", "ssd", "a");
        operator.passSeconds(10);
        shop.node("n1", "hdd", "a");
        peer.state.forget();
        peer.well();
        operator.untilItSees();

        operator.passSeconds(59);
        assertThat(operator.evicted()).isEmpty();
        operator.passSeconds(2);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void whatHealedAndBrokeAgainIsSeenByAWatchThatGoesOnWhereItWas() {
        shop.node("n1", "hdd", "a");
        operator.passSeconds(30);
        peer.watches(Kind.NODES).forEach(watch -> watch.breaks("reset"));
        shop.node("n1", "ssd", "a");
        shop.node("n1", "hdd", "a");

        operator.passSeconds(60);
        assertThat(operator.evicted()).as("30 s after it would have been due").isEmpty();
        assertThat(peer.asked(Kind.NODES, Verb.LIST)).hasSize(1);
        operator.passSeconds(1);
        assertThat(operator.evicted()).containsExactly("web-1");
    }

    @Test
    void changesThatAreToldTwiceChangeNothing() {
        shop.node("n1", "hdd", "a");
        changes(2);
        operator.pass(Duration.ZERO);
        int facts = operator.facts();
        assertThat(facts).isPositive();
        for (PeerWatch watch : peer.watches()) {
            peer.state
                    .since(watch.kind(), peer.state.version() - 1)
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
    void nodesThatAreToldTenSecondsAfterTheirPodsEvictNobodyEarlier() {
        peer.watches(Kind.NODES).forEach(watch -> peer.lags(watch, Duration.ofSeconds(10)));
        shop.node("n3", "hdd", "a");
        shop.pod("shop", "web-3", "n3", "web");

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
                argumentSet("it is away for a minute", true, 60),
                argumentSet("its connections stay open and silent", false, 0));
    }

    @ParameterizedTest(name = "a backup is restored to the API server, and {argumentSetName}")
    @MethodSource("restarts")
    void aRestoredBackupIsNoticedAndEveryWindowBeginsAnew(boolean breaks, int away) {
        shop.node("n1", "hdd", "a");
        PeerState.Backup backup = peer.state.backup();
        operator.passSeconds(10);
        // Something is heard right before, so that hardly any time goes unseen.
        changes(20);
        operator.pass(Duration.ZERO);
        peer.restores(backup);
        if (breaks) {
            peer.resets();
        }
        if (away > 0) {
            peer.faults(new Fault.Down());
            operator.passSeconds(away);
            peer.well();
        }

        operator.passSeconds(breaks ? 31 : 105);
        operator.untilItSees();
        for (View view : List.of(View.PODS, View.NODES, View.NAMESPACES)) {
            assertThat(operator.history())
                    .anyMatch(it -> it.contains("loses " + view + ": " + OLDER + ": every window"));
        }
        operator.seesAll();
        long anew = Duration.between(PlayedTime.START, time.instant()).toSeconds();
        operator.passSeconds(62);
        assertThat(operator.evicted()).containsExactly("web-1");
        assertThat(operator.history())
                .filteredOn(it -> it.contains(" evicts "))
                .singleElement()
                .satisfies(it -> assertThat(Duration.parse(it.substring(0, it.indexOf(' '))))
                        .isGreaterThan(Duration.ofSeconds(breaks ? 70 : anew - 61)));

        // What is written from now on goes beyond what was lost.
        changes(40);
        operator.passSeconds(60);
        operator.seesAll();
        assertThat(operator.lost()).isEmpty();
    }

    @Test
    void anObjectThatHasTheSameVersionAsBeforeTheRestoreAndIsAnotherIsToldAnew() {
        shop.pod("shop", "twice", "n2", "before");
        PeerState.Backup backup = peer.state.backup();
        shop.pod("shop", "twice", "n2", "lost");
        changes(20);
        operator.passSeconds(10);
        peer.restores(backup);
        shop.pod("shop", "twice", "n2", "since");
        peer.resets();

        operator.passSeconds(31);

        operator.seesAll();
    }

    @Test
    void aBackupIsNoticedByTheListAfterASilenceThoughMoreWasWrittenSinceThanWasLost() {
        PeerState.Backup backup = peer.state.backup();
        changes(20);
        operator.passSeconds(10);
        peer.restores(backup);
        for (int i = 0; i < 100; i++) {
            shop.namespace("lake", "team", "team-" + i);
        }
        assertThat(operator.lost()).isEmpty();

        operator.passSeconds(105);

        assertThat(operator.history())
                .anyMatch(it -> it.contains("loses " + View.NODES + ": " + OLDER + ": every window"));
        operator.untilItSees();
        operator.seesAll();
    }

    @Test
    void whatOnlyTheLostStateHadBrokenIsHeldBeforeTheRestoreIsNoticedAndEndsWithIt() {
        PeerState.Backup backup = peer.state.backup();
        changes(20);
        shop.node("n1", "hdd", "a");
        operator.passSeconds(30);
        peer.restores(backup);

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
        PeerState.Backup backup = peer.state.backup();
        changes(20);
        // Each watch ends by itself some time between 300 and 600 s.
        while (peer.watches().size() == 3 && peer.asked(Kind.NODES, Verb.WATCH).size() == 1) {
            operator.pass(Duration.ofMillis(500));
            changes(1);
        }
        peer.restores(backup);
        peer.resets();
        operator.passSeconds(5);

        operator.seesAll();
    }
}
