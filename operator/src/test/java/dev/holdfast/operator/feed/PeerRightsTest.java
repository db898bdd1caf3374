package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.feed.Peer.Verb;
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

/** Rights and tokens that are taken away and given back, seen from the truth. */
class PeerRightsTest {
    private static final Set<Verb> LISTS = EnumSet.of(Verb.LIST, Verb.NEWEST);
    private static final Set<Verb> WATCHES = EnumSet.of(Verb.WATCH);
    private static final Set<Verb> ALL = EnumSet.of(Verb.LIST, Verb.NEWEST, Verb.WATCH);

    private final PlayedTime time = new PlayedTime(1);
    private final Peer peer = new Peer(time, 100);
    private final Shop shop = new Shop(time, peer.state);
    private final PlayedOperator operator = new PlayedOperator(time, peer, shop);

    @BeforeEach
    void begin() {
        shop.node("n1", "ssd", "a");
        shop.pod("shop", "web-1", "n1", "web");
        operator.start();
        shop.node("n1", "hdd", "a");
        operator.passSeconds(20);
    }

    @AfterEach
    void close() {
        operator.close();
    }

    static Stream<Arguments> refusals() {
        return PeerState.KINDS.stream().flatMap(PeerRightsTest::refusals);
    }

    private static Stream<Arguments> refusals(Kind kind) {
        String account = "User \"system:serviceaccount:hf:holdfast\"";
        Fault.Refuses forbidden = Fault.Refuses.with(403, account + " cannot do that");
        Fault.Refuses unknown = Fault.Refuses.with(401, "Unauthorized");
        Fault.Refuses notFound = Fault.Refuses.with(404, "not found");
        String list = " to list " + kind;
        String watch = " to watch " + kind;
        String missing = " is missing: grant it to " + account;
        String credentials = "the API server does not accept our credentials (401)";
        return Stream.of(
                argumentSet("the right" + list, kind, LISTS, forbidden, "the right" + list + missing),
                argumentSet("the right" + watch, kind, WATCHES, forbidden, "the right" + watch + missing),
                argumentSet("the token, for lists of " + kind, kind, LISTS, unknown, credentials + list),
                argumentSet("the token, for watches of " + kind, kind, WATCHES, unknown, credentials + watch),
                argumentSet("the token, for all of " + kind, kind, ALL, unknown, credentials + list),
                argumentSet("the kind " + kind, kind, ALL, notFound, "the API server knows no " + kind));
    }

    @ParameterizedTest(name = "taken away: {argumentSetName}")
    @MethodSource("refusals")
    void whatIsTakenAwayIsNamedAndUntilItIsGivenBackNobodyIsEvicted(
            Kind kind, Set<Verb> verbs, Fault.Refuses fault, String why) {
        peer.faults(asking ->
                asking.kind().equals(kind) && verbs.contains(asking.verb()) ? Optional.of(fault) : Optional.empty());
        peer.watches(kind).forEach(watch -> watch.breaks("reset"));

        // From the first moment on.
        operator.pass(Duration.ZERO);
        for (int seconds = 0; seconds < 300; seconds += 5) {
            assertThat(operator.lost()).containsOnlyKeys(kind.view()).containsEntry(kind.view(), why);
            operator.passSeconds(5);
        }
        assertThat(operator.evicted()).isEmpty();
        assertThat(operator.history())
                .as("not even for a moment")
                .filteredOn(it -> it.endsWith("sees " + kind.view()))
                .hasSize(1);

        peer.well();
        assertThat(operator.untilItSees().toSeconds()).isLessThanOrEqualTo(30);
        operator.passSeconds(62);
        assertThat(operator.evicted()).containsExactly("web-1");
        operator.seesAll();
    }

    @ParameterizedTest(name = "of {0}")
    @MethodSource("kinds")
    void aWatchThatWasBegunBeforeGoesOnUntilItEnds(Kind kind) {
        peer.faults(asking -> asking.kind().equals(kind) && asking.verb() != Verb.READ
                ? Optional.of(Fault.Refuses.with(403, "no"))
                : Optional.empty());

        operator.passSeconds(42);
        assertThat(operator.evicted()).containsExactly("web-1");
        operator.passSeconds(600);
        assertThat(operator.lost()).containsOnlyKeys(kind.view());
        assertThat(operator.lost().get(kind.view())).startsWith("the right to list " + kind + " is missing");
    }

    static Stream<Kind> kinds() {
        return PeerState.KINDS.stream();
    }
}
