package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.feed.Peer.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists that an API server sends in pages of two, though it was asked for none: of three nodes and one pod. */
class PeerPagesTest {
    private final PlayedTime time = new PlayedTime(1);
    private final Peer peer = new Peer(time, 100);
    private final Shop shop = new Shop(time, peer.state);
    private final PlayedOperator operator = new PlayedOperator(time, peer, shop);

    @BeforeEach
    void begin() {
        peer.sendsPagesOf(2);
        shop.node("n1", "hdd", "a");
        shop.node("n2", "ssd", "a");
        shop.node("n3", "ssd", "a");
        shop.pod("shop", "web-1", "n1", "web");
        peer.listsTake(Duration.ofSeconds(2));
    }

    @AfterEach
    void close() {
        operator.close();
    }

    private List<Peer.Asking> listsOfNodes() {
        return peer.asked(Kind.NODES, Verb.LIST);
    }

    @Test
    void whatChangesBetweenTwoPagesIsToldByTheWatchThatFollows() {
        operator.start();
        operator.passSeconds(3);
        assertThat(listsOfNodes()).as("pages asked for").hasSize(2);
        assertThat(operator.lost()).as("before the second page").isEmpty();
        shop.node("n1", "ssd", "a");
        shop.nodeGoes("n3");

        operator.passSeconds(120);

        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    @Test
    void aListWhoseNextPageIsForgottenIsMadeAnewFromItsFirst() {
        operator.start();
        operator.passSeconds(1);
        shop.node("n1", "ssd", "a");
        peer.state.forget();

        operator.passSeconds(3);
        assertThat(operator.lost())
                .containsEntry(
                        Kind.NODES.view(),
                        "the API server answered 410 to list nodes: The provided continue parameter is too old");
        operator.passSeconds(120);

        assertThat(listsOfNodes()).as("pages asked for").hasSizeGreaterThanOrEqualTo(4);
        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    @Test
    void aPageThatEndsTooEarlyIsNoPage() {
        peer.faults(asking -> asking.kind().equals(Kind.NODES) && listsOfNodes().size() == 2
                ? Optional.of(new Fault.Cut(0.9))
                : Optional.empty());
        operator.start();

        operator.passSeconds(4);
        assertThat(operator.lost()).containsKey(Kind.NODES.view());
        peer.well();
        operator.passSeconds(120);

        assertThat(operator.evicted()).containsExactly("web-1");
        operator.seesAll();
    }
}
