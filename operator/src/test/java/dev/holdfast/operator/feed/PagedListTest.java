package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.feed.FakeApiServer.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of three nodes and one pod that an API server sends in pages of two, although the feed requests no pages. */
class PagedListTest {
    private final SimulatedTime time = new SimulatedTime(1);
    private final FakeApiServer fakeApiServer = new FakeApiServer(time, 100);
    private final ShopCluster shopCluster = new ShopCluster(time, fakeApiServer.state);
    private final FeedHarness operator = new FeedHarness(time, fakeApiServer, shopCluster);

    @BeforeEach
    void begin() {
        fakeApiServer.sendsPagesOf(2);
        shopCluster.node("n1", "hdd", "a");
        shopCluster.node("n2", "ssd", "a");
        shopCluster.node("n3", "ssd", "a");
        shopCluster.pod("shop", "web-1", "n1", "web");
        fakeApiServer.listsTake(Duration.ofSeconds(2));
    }

    @AfterEach
    void close() {
        operator.close();
    }

    private List<FakeApiServer.Asking> listsOfNodes() {
        return fakeApiServer.asked(WatchedKind.NODES, Verb.LIST);
    }

    @Test
    void whatChangesBetweenTwoPagesIsToldByTheWatchThatFollows() {
        operator.start();
        operator.passSeconds(3);
        assertThat(listsOfNodes()).as("requested pages").hasSize(2);
        assertThat(operator.lost()).as("lost views before the second page").isEmpty();
        shopCluster.node("n1", "ssd", "a");
        shopCluster.nodeGoes("n3");

        operator.passSeconds(120);

        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    @Test
    void aListWhoseNextPageIsForgottenIsMadeAgainFromItsFirst() {
        operator.start();
        operator.passSeconds(1);
        shopCluster.node("n1", "ssd", "a");
        fakeApiServer.state.forget();

        operator.passSeconds(3);
        assertThat(operator.lost())
                .containsEntry(
                        WatchedKind.NODES.view(),
                        "the API server answered 410 to list nodes: The provided continue parameter is too old");
        operator.passSeconds(120);

        assertThat(listsOfNodes()).as("requested pages").hasSizeGreaterThanOrEqualTo(4);
        assertThat(operator.evicted()).isEmpty();
        operator.seesAll();
    }

    @Test
    void aPageThatEndsTooEarlyIsNoPage() {
        fakeApiServer.faults(asking ->
                asking.watchedKind().equals(WatchedKind.NODES) && listsOfNodes().size() == 2
                        ? Optional.of(new AnswerFault.Cut(0.9))
                        : Optional.empty());
        operator.start();

        operator.passSeconds(4);
        assertThat(operator.lost()).containsKey(WatchedKind.NODES.view());
        fakeApiServer.well();
        operator.passSeconds(120);

        assertThat(operator.evicted()).containsExactly("web-1");
        operator.seesAll();
    }
}
