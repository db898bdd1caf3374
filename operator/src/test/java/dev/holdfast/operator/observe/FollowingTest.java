package dev.holdfast.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterEvent.NamespaceGone;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher.Action;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowingTest {
    private Instant now = Instant.EPOCH;
    private final List<ClusterEvent> told = new ArrayList<>();
    private final CoreFacts facts = new CoreFacts();
    private final Sight sight = new Sight(Kind.NAMESPACES, () -> now, told::add);
    private final Following<SlimNamespace> following = new Following<>(
            new Slim<>(
                    SlimNamespace.class,
                    it -> it.getMetadata().getName(),
                    it -> new ClusterEvent.NamespaceChanged(facts.namespace(it))),
            sight);

    @Test
    void everyEventIsTakenUntilTheEnd() throws InterruptedException {
        following.eventReceived(Action.ADDED, namespace("1"));
        following.eventReceived(Action.MODIFIED, namespace("2"));
        following.eventReceived(Action.BOOKMARK, namespace("7"));
        following.eventReceived(Action.DELETED, namespace("8"));
        following.onClose(new WatcherException("Exhausted reconnects"));
        following.eventReceived(Action.ADDED, namespace("9"));

        assertThat(following.await()).isEqualTo(new WatchEnd.Closed());
        assertThat(told).hasSize(3).endsWith(new NamespaceGone("a"));
        assertThat(sight.reached()).isEqualTo(8);
    }

    @Test
    void aBookmarkIsASignOfLifeToo() {
        now = now.plusSeconds(60);
        following.eventReceived(Action.BOOKMARK, namespace("7"));

        assertThat(sight.heard()).isEqualTo(now);
    }

    @Test
    void aWatchThatWasGivenUpTellsNothingMore() throws InterruptedException {
        following.giveUp();
        following.eventReceived(Action.ADDED, namespace("1"));

        assertThat(following.await()).isEqualTo(new WatchEnd.Closed());
        assertThat(told).isEmpty();
    }

    @Test
    void anExpiredWatchCannotGoOn() throws InterruptedException {
        following.onClose(new WatcherException(
                "too old",
                new KubernetesClientException(new StatusBuilder().withCode(410).build())));

        assertThat(following.await())
                .isEqualTo(new WatchEnd.Broken("the API server has forgotten the changes since the last one seen"));
    }

    @Test
    void anEventThatCannotBeTakenEndsTheWatchInsteadOfBeingLost() throws InterruptedException {
        following.eventReceived(Action.ADDED, namespace("no number"));
        following.eventReceived(Action.ADDED, namespace("2"));

        assertThat(following.await())
                .isInstanceOfSatisfying(
                        WatchEnd.Broken.class,
                        broken -> assertThat(broken.why()).contains("namespaces null/a cannot be read"));
        assertThat(told).isEmpty();
    }

    private static SlimNamespace namespace(String version) {
        SlimNamespace namespace = new SlimNamespace();
        namespace.setMetadata(new ObjectMetaBuilder()
                .withName("a")
                .withResourceVersion(version)
                .build());
        return namespace;
    }
}
